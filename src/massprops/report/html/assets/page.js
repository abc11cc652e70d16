// Each drawing comes to life when it is about to be seen.

const stage = new Stage();
const makers = {
  solid: (figure, data) => {
    if (stage.gl) return new SolidView(figure, data, stage);
    figure.querySelector(".stage").textContent = "This browser offers no WebGL 2, which the view of the body needs.";
    return null;
  },
  section: (figure, data) => new SectionView(figure, data),
};
const alive = [];
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    const data = JSON.parse(target.querySelector('script[type="application/json"]').textContent);
    const view = makers[target.dataset.kind](target, data);
    if (view) alive.push(view);
    target.dataset.ready = "yes";
  }
}, { rootMargin: "400px" });
document.querySelectorAll("figure.view").forEach((figure) => watcher.observe(figure));
const redraw = () => alive.forEach((view) => view.restyle());
stage.canvas.addEventListener("webglcontextrestored", redraw);
window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
