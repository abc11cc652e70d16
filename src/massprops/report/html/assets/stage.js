// One WebGL context for all bodies of the page, however many: each is drawn here and copied to its own canvas.

const SURFACE_VERTEX = `#version 300 es
in vec3 position;
uniform mat3 turn;
uniform vec3 offset;
uniform vec4 frame;
out vec3 seen;
void main() {
  seen = turn * position + offset;
  gl_Position = vec4(seen.xy * frame.xy + frame.zw, -0.2 * seen.z, 1.0);
}`;

// The facet's normal from the derivatives of its points: it needs no normals from a file, which are never used.
const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 seen;
uniform vec4 front, back;
out vec4 color;
void main() {
  vec3 normal = cross(dFdx(seen), dFdy(seen));
  float size = length(normal);
  normal = size > 0.0 ? normal / size : vec3(0.0, 0.0, 1.0);
  vec4 base = gl_FrontFacing ? front : back;
  float light = 0.5 + 0.4 * max(dot(normal, vec3(-0.37, 0.56, 0.74)), 0.0) + 0.16 * normal.z;
  color = vec4(min(base.rgb * light, 1.0) * base.a, base.a);
}`;

// A line as a strip of so many pixels, which may taper to an arrow's tip.
const LINE_VERTEX = `#version 300 es
in vec2 corner;
in vec3 start, end;
in vec3 tint;
in vec2 widths;
uniform mat3 turn;
uniform vec4 frame;
uniform vec2 pixels;
uniform float ratio;
out vec3 shade;
void main() {
  vec3 a = turn * start, b = turn * end;
  vec2 p = a.xy * frame.xy + frame.zw, q = b.xy * frame.xy + frame.zw;
  vec2 along = (q - p) * pixels;
  float size = length(along);
  vec2 across = size > 1e-4 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
  vec2 place = mix(p, q, corner.x) + across * corner.y * 0.5 * ratio * mix(widths.x, widths.y, corner.x) / pixels;
  gl_Position = vec4(place, -0.2 * mix(a.z, b.z, corner.x) - 0.0005, 1.0);
  shade = tint;
}`;

const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 shade;
uniform float alpha;
out vec4 color;
void main() { color = vec4(shade * alpha, alpha); }`;

const NUMBERS_A_LINE = 11; // start, end, tint, widths

class Stage {
  constructor() {
    this.canvas = document.createElement("canvas");
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.prepare());
    this.gl = this.canvas.getContext("webgl2", { antialias: true, alpha: true });
    this.generation = 0; // of the context: what was uploaded to an earlier one is gone
    if (this.gl) this.prepare();
  }

  prepare() {
    const gl = this.gl;
    this.generation += 1;
    this.surfaces = this.program(SURFACE_VERTEX, SURFACE_FRAGMENT, ["position"]);
    this.lines = this.program(LINE_VERTEX, LINE_FRAGMENT, ["corner", "start", "end", "tint", "widths"]);
    this.strip = this.buffer(gl.ARRAY_BUFFER, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]));
    this.ball = this.mesh(...sphere(48, 96));
  }

  program(vertex, fragment, attributes) {
    const gl = this.gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    attributes.forEach((name, index) => gl.bindAttribLocation(program, index, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      throw new Error(gl.getProgramInfoLog(program) || "a shader does not link");
    }
    const places = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) || 0;
    for (let i = 0; i < count; i++) {
      const { name } = gl.getActiveUniform(program, i);
      places[name] = gl.getUniformLocation(program, name);
    }
    return { program, places };
  }

  buffer(target, data) {
    const buffer = this.gl.createBuffer();
    this.gl.bindBuffer(target, buffer);
    this.gl.bufferData(target, data, this.gl.STATIC_DRAW);
    return buffer;
  }

  mesh(positions, indices) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    this.buffer(gl.ARRAY_BUFFER, positions);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    this.buffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    const type = indices instanceof Uint16Array ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT;
    return { array, count: indices.length, type };
  }

  lineSet(numbers) {
    const gl = this.gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.strip);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    this.buffer(gl.ARRAY_BUFFER, numbers);
    let at = 0;
    for (const [index, size] of [[1, 3], [2, 3], [3, 3], [4, 2]]) {
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, size, gl.FLOAT, false, 4 * NUMBERS_A_LINE, 4 * at);
      gl.vertexAttribDivisor(index, 1);
      at += size;
    }
    gl.bindVertexArray(null);
    return { array, count: numbers.length / NUMBERS_A_LINE };
  }

  // An empty picture of so many pixels, ``ratio`` of them to one of the page, seen through a rotation (by columns) and a frame (scale and shift).
  begin(width, height, ratio, turn, frame) {
    const gl = this.gl;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    gl.colorMask(true, true, true, true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    Object.assign(this, { turn, frame, width, height, ratio });
  }

  drawSurface(mesh, front, back, turn = this.turn, offset = [0, 0, 0]) {
    const gl = this.gl;
    const { program, places } = this.surfaces;
    gl.useProgram(program);
    gl.uniformMatrix3fv(places.turn, false, turn);
    gl.uniform3fv(places.offset, offset);
    gl.uniform4fv(places.frame, this.frame);
    gl.uniform4fv(places.front, front);
    gl.uniform4fv(places.back, back);
    gl.bindVertexArray(mesh.array);
    gl.drawElements(gl.TRIANGLES, mesh.count, mesh.type, 0);
  }

  drawLines(set, alpha) {
    const gl = this.gl;
    const { program, places } = this.lines;
    gl.useProgram(program);
    gl.uniformMatrix3fv(places.turn, false, this.turn);
    gl.uniform4fv(places.frame, this.frame);
    gl.uniform2f(places.pixels, this.width / 2, this.height / 2);
    gl.uniform1f(places.ratio, this.ratio);
    gl.uniform1f(places.alpha, alpha);
    gl.bindVertexArray(set.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, set.count);
  }
}

// A unit sphere of rows and columns of facets, wound outwards.
function sphere(rows, columns) {
  const positions = [], indices = [];
  for (let i = 0; i <= rows; i++) {
    for (let j = 0; j <= columns; j++) {
      const polar = (Math.PI * i) / rows, around = (2 * Math.PI * j) / columns;
      positions.push(Math.sin(polar) * Math.cos(around), Math.sin(polar) * Math.sin(around), Math.cos(polar));
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const a = i * (columns + 1) + j, b = a + columns + 1;
      indices.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
  return [new Float32Array(positions), new Uint16Array(indices)];
}
