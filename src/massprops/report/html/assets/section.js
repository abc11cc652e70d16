// A section whose corners can be moved, added and removed, by mouse, touch and keys; measured anew at each change.

const NEAR = { mouse: 12, pen: 16, touch: 24 };
const NEAR_EDGE = { mouse: 8, pen: 10, touch: 16 };
const HANDLES = 1200; // more corners than this are not marked, but can still be dragged
const DIGITS = 8;

class SectionView {
  constructor(figure, data) {
    this.figure = figure;
    this.origin = data.origin;
    this.density = data.density;
    this.given = data.loops.map((text) => {
      const numbers = unpacked(text, Float64Array);
      return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]]);
    });
    if (integrated(this.given).area < 0) this.given.forEach((loop) => loop.reverse());
    const [low, high] = boxOf(this.given);
    this.size = Math.max(high[0] - low[0], high[1] - low[1]) || 1;
    this.svg = figure.querySelector("svg");
    this.canvas = figure.querySelector("canvas");
    this.build();
    this.listen();
    this.reset();
    new ResizeObserver(() => { this.fit(); this.update(); }).observe(this.svg);
  }

  part(name) { return this.figure.querySelector(`[data-part="${name}"]`); }

  act(name) { return this.figure.querySelector(`[data-act="${name}"]`); }

  build() {
    const add = (name, parent, className) => {
      const element = document.createElementNS("http://www.w3.org/2000/svg", name);
      element.setAttribute("class", className);
      return parent.appendChild(element);
    };
    this.filling = add("ellipse", this.svg, "filling");
    this.region = add("path", this.svg, "region");
    this.axes = add("g", this.svg, "axes");
    this.ellipse = add("ellipse", this.axes, "ellipse");
    this.long = add("line", this.axes, "long");
    this.short = add("line", this.axes, "short");
    this.handles = add("g", this.svg, "handles");
    this.centroid = add("g", this.svg, "centroid");
    add("circle", this.centroid, "white").setAttribute("r", 8);
    add("path", this.centroid, "black").setAttribute("d", "M0 0V-8A8 8 0 0 1 8 0ZM0 0V8A8 8 0 0 1 -8 0Z");
    this.add = add;
  }

  reset() {
    this.loops = this.given.map((loop) => loop.map((point) => [...point]));
    this.changed = false;
    this.chosen = this.refusal = null;
    this.fit();
    this.update();
  }

  // The drawing's place on the page, from the corners as they are.
  fit() {
    const [low, high] = boxOf([...this.loops, this.ellipseBox()]);
    this.width = this.svg.clientWidth || 1;
    this.height = this.svg.clientHeight || 1;
    this.middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.scale = 0.86 * Math.min(this.width / (high[0] - low[0] || this.size), this.height / (high[1] - low[1] || this.size));
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
  }

  // Corners of the box around the inertia ellipse: its half sides are 2 sqrt(uu / A) and 2 sqrt(vv / A).
  ellipseBox() {
    const { area, u, v, uu, vv } = integrated(this.loops);
    const [du, dv] = [2 * Math.sqrt(uu / area), 2 * Math.sqrt(vv / area)];
    return [du, dv].every(Number.isFinite) ? [[u - du, v - dv], [u + du, v + dv]] : [];
  }

  toPage([x, y]) {
    return [this.width / 2 + (x - this.middle[0]) * this.scale, this.height / 2 - (y - this.middle[1]) * this.scale];
  }

  fromPage([x, y]) {
    return [this.middle[0] + (x - this.width / 2) / this.scale, this.middle[1] - (y - this.height / 2) / this.scale];
  }

  update() {
    const across = 2 ** Number(this.part("across").value);
    this.exact = integrated(this.loops);
    this.pixel = counted(this.loops, across);
    this.limits = limits(this.loops, this.pixel.grid, this.exact, this.pixel);
    this.part("across-told").textContent = across;
    this.drawRegion();
    this.drawAxes();
    this.drawPixels();
    this.tell();
    this.tellChosen();
  }

  drawRegion() {
    const pages = this.loops.map((loop) => loop.map((point) => this.toPage(point)));
    this.region.setAttribute("d", pages.map((loop) => `M${loop.map((p) => p.join(" ")).join("L")}Z`).join(""));
    const all = pages.flatMap((loop, l) => loop.map((place, i) => ({ place, loop: l, index: i })));
    const marked = all.length <= HANDLES ? all : all.filter((corner) => this.isChosen(corner));
    while (this.handles.children.length > marked.length) this.handles.lastChild.remove();
    marked.forEach((corner, k) => {
      const circle = this.handles.children[k] || this.add("circle", this.handles, "");
      circle.setAttribute("cx", corner.place[0]);
      circle.setAttribute("cy", corner.place[1]);
      circle.setAttribute("r", this.isChosen(corner) ? 8 : all.length > 40 ? 3 : 5.5);
      circle.setAttribute("class", this.isChosen(corner) ? "handle chosen" : "handle");
    });
  }

  isChosen(corner) {
    return this.chosen !== null && this.chosen.loop === corner.loop && this.chosen.index === corner.index;
  }

  drawAxes() {
    const { area, u, v, uu, vv, uv } = this.exact;
    const isThere = area !== 0 && [u, v].every(Number.isFinite);
    this.centroid.style.display = isThere ? "" : "none";
    const middle = this.toPage([u, v]);
    if (isThere) this.centroid.setAttribute("transform", `translate(${middle.join(" ")})`);
    const root = Math.hypot(uu - vv, 2 * uv), large = (uu + vv + root) / 2, small = (uu + vv - root) / 2;
    const shown = isThere && small / area > 0 && this.part("axes").checked;
    this.axes.style.display = this.filling.style.display = shown ? "" : "none";
    if (!shown) return;
    const angle = Math.atan2(2 * uv, uu - vv) / 2;
    const semi = [large, small].map((moment) => 2 * Math.sqrt(moment / area) * this.scale);
    const turn = `rotate(${(-angle * 180) / Math.PI} ${middle.join(" ")})`;
    for (const element of [this.axes, this.filling]) element.setAttribute("transform", turn);
    const put = (element, values) => Object.entries(values).forEach(([name, value]) => element.setAttribute(name, value));
    for (const element of [this.ellipse, this.filling]) put(element, { cx: middle[0], cy: middle[1], rx: semi[0], ry: semi[1] });
    const [x, y] = middle, over = 14;
    put(this.long, { x1: x - semi[0] - over, x2: x + semi[0] + over, y1: y, y2: y });
    put(this.short, { x1: x, x2: x, y1: y - semi[1] - over, y2: y + semi[1] + over });
  }

  drawPixels() {
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.svg.classList.toggle("counting", this.part("pixels").checked);
    if (!this.part("pixels").checked) return;
    const { grid, mask } = this.pixel;
    const image = new ImageData(grid.columns, grid.rows);
    const color = themed("--pixel").map((x) => 255 * x);
    for (let row = 0; row < grid.rows; row++) {
      for (let column = 0; column < grid.columns; column++) {
        const winding = Math.min(3, Math.abs(mask[row * grid.columns + column]));
        image.data.set([...color, 85 * winding], 4 * ((grid.rows - 1 - row) * grid.columns + column));
      }
    }
    const small = Object.assign(document.createElement("canvas"), { width: grid.columns, height: grid.rows });
    small.getContext("2d").putImageData(image, 0, 0);
    const paper = this.canvas.getContext("2d");
    paper.imageSmoothingEnabled = false;
    const [x, y] = this.toPage([grid.left, grid.bottom + grid.rows * grid.step]);
    const side = grid.step * this.scale * ratio;
    paper.drawImage(small, x * ratio, y * ratio, grid.columns * side, grid.rows * side);
  }

  tell() {
    const place = { area: [1, 0], u: [1, this.origin[0]], v: [1, this.origin[1]], polar: [this.density, 0] };
    for (const [name, [factor, shift]] of Object.entries(place)) {
      const cells = this.figure.querySelectorAll(`[data-quantity="${name}"] td`);
      const difference = factor * (this.pixel[name] - this.exact[name]);
      const values = [
        factor * this.pixel[name] + shift, factor * this.exact[name] + shift, difference, factor * this.limits[name],
      ];
      values.forEach((value, i) => {
        cells[i].dataset.value = value;
        cells[i].textContent = Number.isFinite(value) ? told(value, i < 2 ? DIGITS : 3) : "\u2013";
      });
    }
    const corners = this.loops.reduce((sum, loop) => sum + loop.length, 0);
    const loops = this.loops.length === 1 ? "1 loop" : `${this.loops.length} loops`;
    const state = [`${corners} corners in ${loops}, ${this.changed ? "changed" : "as given"}.`];
    if (this.pixel.least < 0 || this.pixel.most > 1) {
      state.push("Some parts are enclosed more than once, or the wrong way round: they are counted as often.");
    }
    const text = state.join(" ");
    if (this.part("state").textContent !== text) this.part("state").textContent = text;
  }

  tellChosen() {
    const { chosen } = this;
    for (const element of [this.part("u"), this.part("v"), this.act("add"), this.act("remove")]) element.disabled = !chosen;
    const text = this.refusal || (chosen ? `Corner ${chosen.index + 1} of ${this.loops[chosen.loop].length}`
      + (this.loops.length > 1 ? ` in loop ${chosen.loop + 1}` : "") : "No corner chosen");
    if (this.part("chosen").textContent !== text) this.part("chosen").textContent = text;
    ["u", "v"].forEach((name, i) => {
      const box = this.part(name);
      if (document.activeElement === box && chosen) return; // never change what is being typed
      box.value = chosen ? String(Number((this.corner()[i] + this.origin[i]).toPrecision(15))) : "";
    });
  }

  corner() { return this.loops[this.chosen.loop][this.chosen.index]; }

  change() {
    this.changed = true;
    this.refusal = null;
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.update();
    });
  }

  choose(loop, index) {
    this.chosen = { loop, index };
    this.refusal = null;
    this.drawRegion();
    this.tellChosen();
  }

  addAfter() {
    const loop = this.loops[this.chosen.loop], next = loop[(this.chosen.index + 1) % loop.length];
    const middle = this.corner().map((x, i) => (x + next[i]) / 2);
    loop.splice(this.chosen.index + 1, 0, middle);
    this.chosen.index += 1;
    this.change();
  }

  remove() {
    const loop = this.loops[this.chosen.loop];
    if (loop.length <= 3) {
      if (this.loops.length === 1) {
        this.refusal = "Three corners are the fewest a loop can have";
        this.tellChosen();
        return;
      }
      this.loops.splice(this.chosen.loop, 1); // a hole goes with its last corners
      this.chosen = null;
    } else {
      loop.splice(this.chosen.index, 1);
      this.chosen.index %= loop.length;
    }
    this.change();
  }

  // The corner nearest to a place on the page, if it is near.
  cornerAt(place, near) {
    let best = null, least = near;
    this.loops.forEach((loop, l) => loop.forEach((point, index) => {
      const [x, y] = this.toPage(point), distance = Math.hypot(x - place[0], y - place[1]);
      if (distance <= least) [best, least] = [{ loop: l, index }, distance];
    }));
    return best;
  }

  // The edge nearest to a place on the page, if it is near, and the point on it.
  edgeAt(place, near) {
    let best = null, least = near;
    this.loops.forEach((loop, l) => loop.forEach((point, index) => {
      const a = this.toPage(point), b = this.toPage(loop[(index + 1) % loop.length]);
      const along = [b[0] - a[0], b[1] - a[1]], square = along[0] ** 2 + along[1] ** 2 || 1;
      const t = Math.max(0, Math.min(1, ((place[0] - a[0]) * along[0] + (place[1] - a[1]) * along[1]) / square));
      const foot = [a[0] + t * along[0], a[1] + t * along[1]];
      const distance = Math.hypot(foot[0] - place[0], foot[1] - place[1]);
      if (distance <= least) [best, least] = [{ loop: l, index: index + 1, foot }, distance];
    }));
    return best;
  }

  listen() {
    const { svg } = this;
    const placeOf = (event) => {
      const box = svg.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    let dragging = false;
    svg.addEventListener("pointerdown", (event) => {
      const place = placeOf(event), corner = this.cornerAt(place, NEAR[event.pointerType] || NEAR.mouse);
      const edge = corner ? null : this.edgeAt(place, NEAR_EDGE[event.pointerType] || NEAR_EDGE.mouse);
      if (edge) this.loops[edge.loop].splice(edge.index, 0, this.fromPage(edge.foot));
      this.chosen = corner || (edge && { loop: edge.loop, index: edge.index });
      dragging = this.chosen !== null;
      if (dragging) svg.setPointerCapture(event.pointerId);
      if (edge) this.change();
      else this.update();
    });
    svg.addEventListener("pointermove", (event) => {
      const place = placeOf(event);
      if (dragging) {
        const inside = [Math.min(this.width, Math.max(0, place[0])), Math.min(this.height, Math.max(0, place[1]))];
        this.moveTo(this.fromPage(inside));
      }
      const on = dragging || this.cornerAt(place, NEAR.mouse);
      svg.style.cursor = on ? "move" : this.edgeAt(place, NEAR_EDGE.mouse) ? "copy" : "default";
    });
    for (const name of ["pointerup", "pointercancel"]) svg.addEventListener(name, () => { dragging = false; });
    svg.addEventListener("dblclick", (event) => {
      const corner = this.cornerAt(placeOf(event), NEAR.mouse);
      if (!corner) return;
      this.chosen = corner;
      this.remove();
    });
    svg.addEventListener("keydown", (event) => this.key(event));
    for (const name of ["axes", "pixels", "across"]) this.part(name).addEventListener("input", () => this.update());
    ["u", "v"].forEach((name, i) => this.part(name).addEventListener("input", (event) => {
      const value = event.target.valueAsNumber;
      if (!this.chosen || !Number.isFinite(value)) return;
      const point = [...this.corner()];
      point[i] = value - this.origin[i];
      this.moveTo(point);
    }));
    this.act("add").addEventListener("click", () => this.addAfter());
    this.act("remove").addEventListener("click", () => this.remove());
    this.act("reset").addEventListener("click", () => this.reset());
    this.act("fit").addEventListener("click", () => { this.fit(); this.update(); });
  }

  moveTo(point) {
    this.loops[this.chosen.loop][this.chosen.index] = point;
    this.change();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = (event.shiftKey ? 0.001 : 0.01) * this.size;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] || [0, 0];
    const { chosen } = this;
    if (event.key === "n" || event.key === "p") this.step(event.key === "n" ? 1 : -1);
    else if (event.key === "0") this.reset();
    else if (chosen && (dx || dy)) this.moveTo([this.corner()[0] + dx * step, this.corner()[1] + dy * step]);
    else if (chosen && (event.key === "a" || event.key === "Insert")) this.addAfter();
    else if (chosen && (event.key === "Delete" || event.key === "Backspace")) this.remove();
    else if (chosen && event.key === "Escape") { this.chosen = null; this.update(); }
    else return;
    event.preventDefault();
  }

  // The next or the previous corner, through all loops.
  step(by) {
    const all = this.loops.flatMap((loop, l) => loop.map((_, index) => ({ loop: l, index })));
    const at = all.findIndex((corner) => this.isChosen(corner));
    const next = all[(at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by + all.length) % all.length];
    this.choose(next.loop, next.index);
  }

  restyle() { this.update(); }
}

// A number in so many digits, with a power of ten where it would be all zeros.
function told(value, digits) {
  const size = Math.abs(value), isPlain = value === 0 || (size >= 1e-3 && size < 1e6);
  if (isPlain) return String(Number(value.toPrecision(digits))).replace("-", "\u2212");
  const [mantissa, power] = value.toExponential(digits - 1).split("e").map(Number);
  const raised = String(power).replace("-", "\u207b").replace(/\d/g, (digit) => "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[digit]);
  return `${String(mantissa).replace("-", "\u2212")} \u00d7 10${raised}`;
}
