"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const last = data.frames.length - 1;
  let now = 0;
  let timer = null; // while it plays

  // Of each frame the numbers of its elements: frames have most of them in common. All of them are the tool's own SVG.
  function draw(step) {
    const elements = data.frames[step].map((number) => data.elements[number]).join("");
    const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${data.box.join(" ")}" width="${data.box[2]}">${elements}</svg>`;
    const picture = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    at("board").replaceChildren(document.importNode(picture, true));
  }

  function words(step) {
    const caption = data.captions[step] ? ` · ${data.captions[step]}` : "";
    return step ? `step ${step} of ${last}: ${data.labels[step - 1]}${caption}` : `start, ${last} step${last === 1 ? "" : "s"} to go${caption}`;
  }

  function go(step) {
    const buttons = at("steps").querySelectorAll("button");
    buttons[now].removeAttribute("aria-current");
    now = Math.max(0, Math.min(last, step));
    buttons[now].setAttribute("aria-current", "step");
    follow(buttons[now]);
    draw(now);
    at("step").textContent = words(now);
    at("text").textContent = data.texts[now];
    at("slider").value = now;
    at("slider").setAttribute("aria-valuetext", words(now));
    at("first").disabled = at("back").disabled = now === 0;
    at("forth").disabled = at("last").disabled = now === last;
    if (timer === null) link(); // not while it plays: browsers limit how often
  }

  function link() {
    try {
      history.replaceState(null, "", `#${now}`);
    } catch {
      // a frame without an address of its own, as in a notebook
    }
  }

  // The list scrolls, the page does not.
  function follow(button) {
    const list = at("steps").parentElement;
    const { top, bottom } = button.getBoundingClientRect();
    const room = list.getBoundingClientRect();
    if (top < room.top || bottom > room.bottom) list.scrollTop += (top + bottom - room.top - room.bottom) / 2;
  }

  function play() {
    if (now === last) go(0);
    timer = setTimeout(next, pace());
    shown(true);
  }

  function next() {
    timer = setTimeout(next, pace());
    go(now + 1);
    if (now === last) pause();
  }

  function pause() {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    shown(false);
    go(now);
  }

  const pace = () => 1000 / Number(at("speed").value);

  // What plays is not read out step by step.
  function shown(playing) {
    at("play").classList.toggle("playing", playing);
    at("play").setAttribute("aria-label", playing ? "pause" : "play");
    at("step").setAttribute("aria-live", playing ? "off" : "polite");
  }

  function jump(step) {
    pause();
    go(step);
  }

  function faster(by) {
    const speed = at("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
  }

  function linked() {
    const step = /^#(\d+)$/.exec(location.hash);
    return step ? Number(step[1]) : 0;
  }

  const keys = {
    " ": () => (timer === null ? play() : pause()),
    ArrowLeft: () => jump(now - 1),
    ArrowRight: () => jump(now + 1),
    Home: () => jump(0),
    End: () => jump(last),
    "+": () => faster(1),
    "=": () => faster(1),
    "-": () => faster(-1),
  };

  document.addEventListener("keydown", (event) => {
    const element = event.target;
    const own = element.tagName === "SELECT" || (event.key === " " && /^(BUTTON|SUMMARY)$/.test(element.tagName));
    if (!keys[event.key] || own || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
  });

  data.frames.forEach((_, step) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = step ? data.labels[step - 1] : "start";
    button.addEventListener("click", () => jump(step));
    const item = document.createElement("li");
    item.append(button);
    at("steps").append(item);
  });
  at("slider").max = last;
  at("slider").addEventListener("input", () => jump(Number(at("slider").value)));
  at("first").addEventListener("click", keys.Home);
  at("back").addEventListener("click", keys.ArrowLeft);
  at("play").addEventListener("click", keys[" "]);
  at("forth").addEventListener("click", keys.ArrowRight);
  at("last").addEventListener("click", keys.End);
  at("speed").value = String(data.speed);
  window.addEventListener("hashchange", () => jump(linked()));
  go(linked());
})();
