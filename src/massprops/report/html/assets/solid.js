// A body to be turned: orbit by mouse, touch and keys; centre, axes and ellipsoid can be switched off.

const AXIS_COLORS = ["--axis-1", "--axis-2", "--axis-3"];
const SECTION_STEPS = 120;
const ZOOM = [0.2, 40];
const FILLED = 0.68; // of the canvas, at first

class SolidView {
  constructor(figure, data, stage) {
    this.figure = figure;
    this.stage = stage;
    this.data = data;
    this.canvas = figure.querySelector("canvas");
    this.labels = figure.querySelector(".labels");
    this.positions = unpacked(data.positions, Float32Array);
    this.indices = unpacked(data.indices, data.wide ? Uint32Array : Uint16Array);
    this.edges = unpacked(data.edges, Float32Array);
    this.generation = 0;
    this.shown = { center: !!data.center, axes: !!data.axes, ellipsoid: !!data.ellipsoid, edges: this.edges.length > 0 };
    for (const [part, there] of Object.entries(this.shown)) {
      if (!there) figure.querySelector(`[data-for="${part}"]`).remove();
    }
    this.reset();
    this.listen();
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  reset() {
    this.look(this.data.toward || [0.58, -0.69, 0.43]);
    this.zoom = 1;
    [this.middle, this.extent] = this.seen();
    this.draw();
  }

  // Middle of what is seen, and half its width and height.
  seen() {
    const [right, up] = this.rows(), low = [Infinity, Infinity], high = [-Infinity, -Infinity];
    const rings = this.data.ellipsoid ? [0, 1, 2].flatMap((k) => this.ring(k).flat()) : [];
    const tips = (this.data.axes || []).flatMap((axis) => [...axis.start, ...axis.tip]);
    for (const list of [this.positions, rings, tips]) {
      for (let i = 0; i < list.length; i += 3) {
        [right, up].forEach((row, k) => {
          const at = row[0] * list[i] + row[1] * list[i + 1] + row[2] * list[i + 2];
          if (at < low[k]) low[k] = at;
          if (at > high[k]) high[k] = at;
        });
      }
    }
    const [x, y] = [0, 1].map((k) => (low[k] + high[k]) / 2);
    return [right.map((_, i) => x * right[i] + y * up[i]), [0, 1].map((k) => (high[k] - low[k]) / 2 || 1)];
  }

  look(toward) {
    this.azimuth = Math.atan2(toward[1], toward[0]);
    this.elevation = Math.asin(Math.max(-1, Math.min(1, toward[2] / Math.hypot(...toward))));
  }

  // Rows: to the right, up, towards the viewer.
  rows() {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    return [[-sa, ca, 0], [-se * ca, -se * sa, ce], [ce * ca, ce * sa, se]];
  }

  lineNumbers() {
    const numbers = { axes: [], ellipsoid: [], edges: [] };
    (this.data.axes || []).forEach((axis, k) => {
      const tint = themed(AXIS_COLORS[k]);
      const base = axis.tip.map((x, i) => x - 0.1 * this.unit(axis)[i]);
      numbers.axes.push(...axis.start, ...base, ...tint, 3, 3, ...base, ...axis.tip, ...tint, 13, 0);
    });
    if (this.data.ellipsoid) {
      AXIS_COLORS.forEach((name, k) => {
        const tint = themed(name), ring = this.ring(k);
        ring.forEach((point, i) => numbers.ellipsoid.push(...point, ...ring[(i + 1) % ring.length], ...tint, 2, 2));
      });
    }
    const wrong = themed("--wrong");
    for (let i = 0; i < this.edges.length; i += 6) {
      numbers.edges.push(...this.edges.subarray(i, i + 6), ...wrong, 4, 4);
    }
    return numbers;
  }

  unit(axis) {
    const along = axis.tip.map((x, i) => x - axis.start[i]);
    return along.map((x) => x / Math.hypot(...along));
  }

  // The principal section at right angles to axis k.
  ring(k) {
    const { axes, semi_axes: semi } = this.data.ellipsoid;
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return Array.from({ length: SECTION_STEPS }, (_, step) => {
      const angle = (2 * Math.PI * step) / SECTION_STEPS;
      const [c, s] = [semi[i] * Math.cos(angle), semi[j] * Math.sin(angle)];
      return this.data.center.map((x, row) => x + c * axes[row][i] + s * axes[row][j]);
    });
  }

  upload() {
    const isNew = this.generation !== this.stage.generation;
    if (isNew) this.mesh = this.stage.mesh(this.positions, this.indices);
    if (isNew || !this.sets) {
      this.sets = {};
      for (const [part, numbers] of Object.entries(this.lineNumbers())) {
        this.sets[part] = this.stage.lineSet(new Float32Array(numbers));
      }
    }
    this.generation = this.stage.generation;
  }

  draw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.drawNow();
    });
  }

  drawNow() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.round(this.canvas.clientWidth * ratio), height = Math.round(this.canvas.clientHeight * ratio);
    if (!width || !height || this.stage.gl.isContextLost()) return;
    this.upload();
    const rows = this.rows();
    const scale = FILLED * this.zoom * Math.min(width / 2 / this.extent[0], height / 2 / this.extent[1]);
    const size = [(2 * scale) / width, (2 * scale) / height];
    const frame = [...size, ...size.map((s, i) => -s * rows[i].reduce((sum, x, k) => sum + x * this.middle[k], 0))];
    this.scale = scale / ratio;
    const turn = [0, 1, 2].flatMap((column) => rows.map((row) => row[column]));
    this.stage.begin(width, height, ratio, turn, frame);
    this.drawParts(rows);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    const paper = this.canvas.getContext("2d");
    paper.clearRect(0, 0, width, height);
    paper.drawImage(this.stage.canvas, 0, 0);
    this.project = (point) => rows.slice(0, 2).map((row, i) => {
      const seen = row[0] * point[0] + row[1] * point[1] + row[2] * point[2];
      const clip = seen * frame[i] + frame[2 + i];
      return i ? (1 - clip) / 2 * height : (1 + clip) / 2 * width;
    });
    if (this.shown.center) this.drawCenter(paper, ratio);
    this.placeLabels(ratio);
  }

  // What is inside first; then the body's nearest layer over it, and the ellipsoid behind and before that; at last
  // what the body hides shows through.
  drawParts(rows) {
    const { stage, data } = this, gl = stage.gl;
    const opacity = Number(this.figure.querySelector('[data-part="opacity"]').value);
    const body = [...themed("--body"), opacity], inside = [...themed("--inside"), opacity];
    const sets = Object.keys(this.sets).filter((part) => this.shown[part]).map((part) => this.sets[part]);
    gl.disable(gl.CULL_FACE);
    gl.depthFunc(gl.LEQUAL);
    for (const set of sets) stage.drawLines(set, 1);
    if (opacity > 0) {
      gl.colorMask(false, false, false, false);
      stage.drawSurface(this.mesh, body, inside);
      gl.colorMask(true, true, true, true);
      gl.depthMask(false);
      if (this.shown.ellipsoid) this.drawEllipsoid(rows, gl.GREATER);
      gl.depthFunc(gl.EQUAL);
      stage.drawSurface(this.mesh, body, inside);
    }
    gl.depthMask(false);
    if (this.shown.ellipsoid) this.drawEllipsoid(rows, gl.LESS);
    gl.depthFunc(gl.GREATER);
    for (const set of sets) stage.drawLines(set, 0.55);
    gl.depthMask(true);
  }

  drawEllipsoid(rows, depth) {
    const { gl } = this.stage, { axes, semi_axes: semi } = this.data.ellipsoid;
    const color = [...themed("--ellipsoid"), 0.3];
    const place = (vector) => rows.map((row) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]);
    const turn = [0, 1, 2].flatMap((k) => place(axes.map((row) => row[k] * Math.max(semi[k], 1e-6))));
    gl.enable(gl.CULL_FACE);
    gl.depthFunc(depth);
    this.stage.drawSurface(this.stage.ball, color, color, turn, place(this.data.center));
    gl.disable(gl.CULL_FACE);
  }

  // The draughtsman's sign of a centre of mass: a disc in quarters, black and white.
  drawCenter(paper, ratio) {
    const [x, y] = this.project(this.data.center), r = 8 * ratio;
    ["#000", "#fff", "#000", "#fff"].forEach((fill, quarter) => {
      paper.beginPath();
      paper.moveTo(x, y);
      paper.arc(x, y, r, (quarter * Math.PI) / 2, ((quarter + 1) * Math.PI) / 2);
      paper.fillStyle = fill;
      paper.fill();
    });
    paper.beginPath();
    paper.arc(x, y, r, 0, 2 * Math.PI);
    paper.lineWidth = 1.5 * ratio;
    paper.strokeStyle = "#000";
    paper.stroke();
  }

  placeLabels(ratio) {
    const axes = this.shown.axes ? this.data.axes : [];
    while (this.labels.children.length > axes.length) this.labels.lastChild.remove();
    const taken = [];
    axes.forEach((axis, k) => {
      const label = this.labels.children[k] || this.labels.appendChild(document.createElement("span"));
      label.textContent = axis.label;
      label.className = `axis-${k + 1}`;
      const [tip, middle] = [axis.tip, this.data.center].map((point) => this.project(point).map((x) => x / ratio));
      const away = [tip[0] - middle[0], tip[1] - middle[1]], size = Math.hypot(...away) || 1;
      const half = [label.offsetWidth / 2, label.offsetHeight / 2];
      const room = Math.min(half[0] / Math.abs(away[0] / size), half[1] / Math.abs(away[1] / size)) + 6;
      const place = [0, 1].map((i) => tip[i] + (away[i] / size) * room);
      const limits = [this.canvas.clientWidth, this.canvas.clientHeight];
      for (const i of [0, 1]) place[i] = Math.max(half[i] + 2, Math.min(limits[i] - half[i] - 2, place[i]));
      for (const other of taken) {
        const overlap = half[1] + other.half[1] - Math.abs(place[1] - other.place[1]);
        if (Math.abs(place[0] - other.place[0]) < half[0] + other.half[0] && overlap > 0) {
          place[1] += place[1] >= other.place[1] ? overlap : -overlap;
        }
      }
      taken.push({ place, half });
      label.style.transform = `translate(${place[0] - half[0]}px, ${place[1] - half[1]}px)`;
    });
  }

  listen() {
    const { canvas, figure } = this;
    const fingers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      const before = [...fingers.values()].map((point) => [...point]);
      const last = fingers.get(event.pointerId);
      const moved = [event.clientX - last[0], event.clientY - last[1]];
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 1 && !event.shiftKey) this.orbit(-0.01 * moved[0], 0.01 * moved[1]);
      else {
        this.shift(moved[0] / fingers.size, moved[1] / fingers.size);
        if (fingers.size === 2) {
          const apart = ([a, b]) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
          this.magnify(apart([...fingers.values()]) / apart(before));
        }
      }
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
    }
    canvas.addEventListener("wheel", (event) => {
      if (document.activeElement !== canvas) return; // a page that is scrolled past must not be caught
      event.preventDefault();
      this.magnify(Math.exp(-0.0015 * event.deltaY));
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    figure.querySelectorAll('input[type="checkbox"]').forEach((box) => box.addEventListener("change", () => {
      this.shown[box.dataset.part] = box.checked;
      this.draw();
    }));
    figure.querySelector('[data-part="opacity"]').addEventListener("input", () => this.draw());
    figure.querySelector('[data-act="reset"]').addEventListener("click", () => this.reset());
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] || [0, 0];
    const straight = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[event.key];
    if (dx || dy) {
      if (event.shiftKey) this.shift(24 * dx, 24 * dy);
      else this.orbit(-0.09 * dx, 0.09 * dy);
    } else if (event.key === "+" || event.key === "=") this.magnify(1.15);
    else if (event.key === "-") this.magnify(1 / 1.15);
    else if (event.key === "0" || event.key === "Home") this.reset();
    else if (straight) { this.look(straight); this.draw(); }
    else if ("123".includes(event.key) && this.data.axes) { this.look(this.unit(this.data.axes[event.key - 1])); this.draw(); }
    else return;
    event.preventDefault();
  }

  orbit(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + elevation));
    this.draw();
  }

  shift(dx, dy) {
    const [right, up] = this.rows();
    this.middle = this.middle.map((x, i) => x - (dx * right[i] - dy * up[i]) / this.scale);
    this.draw();
  }

  magnify(factor) {
    this.zoom = Math.max(ZOOM[0], Math.min(ZOOM[1], this.zoom * factor));
    this.draw();
  }

  // Colours of lines are uploaded with them: day and night differ.
  restyle() {
    if (this.generation === this.stage.generation) {
      for (const set of Object.values(this.sets || {})) this.stage.gl.deleteVertexArray(set.array);
    }
    this.sets = null;
    this.draw();
  }
}
