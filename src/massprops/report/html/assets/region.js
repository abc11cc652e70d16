// Area, centroid and polar moment of a region between loops of corners [x, y], in two ways that share nothing.
//
// Both weigh each point with the number of times that the loops go round it, anticlockwise ones counting +1 and
// clockwise ones, around holes, -1: so they agree even where a loop that is being dragged crosses itself.

// By Green's theorem, exact for polygons; second moments about the centroid.
function integrated(loops) {
  let area = 0, sx = 0, sy = 0;
  eachEdge(loops, (a, b) => {
    const c = a[0] * b[1] - a[1] * b[0];
    area += c / 2;
    sx += (c * (a[0] + b[0])) / 6;
    sy += (c * (a[1] + b[1])) / 6;
  });
  const u = sx / area, v = sy / area;
  let uu = 0, vv = 0, uv = 0;
  eachEdge(loops, (p, q) => {
    const a = [p[0] - u, p[1] - v], b = [q[0] - u, q[1] - v];
    const c = a[0] * b[1] - a[1] * b[0];
    uu += (c * (a[0] * a[0] + a[0] * b[0] + b[0] * b[0])) / 12;
    vv += (c * (a[1] * a[1] + a[1] * b[1] + b[1] * b[1])) / 12;
    uv += (c * (2 * a[0] * a[1] + a[0] * b[1] + b[0] * a[1] + 2 * b[0] * b[1])) / 24;
  });
  return { area, u, v, polar: uu + vv, uu, vv, uv };
}

// By counting the squares of a grid whose centres lie inside.
function counted(loops, across) {
  const grid = gridAround(loops, across);
  const { step, columns, rows, left, bottom } = grid;
  const turns = new Int16Array(rows * (columns + 1)); // changes of the winding number from left to right
  eachEdge(loops, (a, b) => {
    const sign = b[1] < a[1] ? 1 : -1;
    const [low, high] = sign > 0 ? [b, a] : [a, b];
    const first = Math.max(0, Math.ceil((low[1] - bottom) / step - 0.5));
    const last = Math.min(rows, Math.ceil((high[1] - bottom) / step - 0.5));
    for (let row = first; row < last; row++) {
      const y = bottom + (row + 0.5) * step;
      const x = low[0] + ((y - low[1]) / (high[1] - low[1])) * (high[0] - low[0]);
      const column = Math.min(columns, Math.max(0, Math.ceil((x - left) / step - 0.5)));
      turns[row * (columns + 1) + column] += sign;
    }
  });
  let n = 0, sx = 0, sy = 0, ss = 0, least = 0, most = 0;
  const mask = new Int8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const y = row + 0.5 - rows / 2;
    let winding = 0;
    for (let column = 0; column < columns; column++) {
      winding += turns[row * (columns + 1) + column];
      if (winding === 0) continue;
      const x = column + 0.5 - columns / 2;
      mask[row * columns + column] = winding;
      n += winding;
      sx += winding * x;
      sy += winding * y;
      ss += winding * (x * x + y * y + 1 / 6); // of a square, not of its centre alone
      least = Math.min(least, winding);
      most = Math.max(most, winding);
    }
  }
  const middle = [left + (columns * step) / 2, bottom + (rows * step) / 2];
  return {
    area: n * step ** 2,
    u: middle[0] + (sx / n) * step,
    v: middle[1] + (sy / n) * step,
    polar: (ss - (sx * sx + sy * sy) / n) * step ** 4,
    grid, mask, least, most,
  };
}

// How far the two can be apart. Only squares that an edge passes through can be wrong, each by its whole area; they
// lie within a distance r of the centroid.
function limits(loops, grid, exact, pixel) {
  const { step } = grid;
  let squares = 0, r = 0;
  eachEdge(loops, (a, b) => {
    squares += (Math.abs(b[0] - a[0]) + Math.abs(b[1] - a[1])) / step + 3;
    r = Math.max(r, Math.hypot(a[0] - exact.u, a[1] - exact.v));
  });
  r += Math.SQRT2 * step;
  const area = squares * step ** 2;
  const center = (area * r) / Math.abs(pixel.area);
  return { area, u: center, v: center, polar: area * r * r + Math.abs(pixel.area) * center ** 2 };
}

function gridAround(loops, across) {
  const [low, high] = boxOf(loops);
  const size = [high[0] - low[0], high[1] - low[1]];
  const step = Math.max(...size) / across || 1;
  const [columns, rows] = size.map((side) => Math.max(1, Math.ceil(side / step - 1e-9)));
  const left = (low[0] + high[0] - columns * step) / 2, bottom = (low[1] + high[1] - rows * step) / 2;
  return { step, columns, rows, left, bottom };
}

function boxOf(loops) {
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (const loop of loops) {
    for (const point of loop) {
      for (const i of [0, 1]) {
        low[i] = Math.min(low[i], point[i]);
        high[i] = Math.max(high[i], point[i]);
      }
    }
  }
  return [low, high];
}

function eachEdge(loops, visit) {
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i++) visit(loop[i], loop[(i + 1) % loop.length]);
  }
}
