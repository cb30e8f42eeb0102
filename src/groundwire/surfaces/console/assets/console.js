// Keys for those who like them; every one of them does what a link or a button on the page does too.
"use strict";

const isTyping = (element) => element.closest("input:not([type=checkbox]), textarea, select") !== null;

function move(list, step) {
  const rows = [...list.querySelectorAll("li > a, li > article > a:first-child")];
  const here = rows.indexOf(document.activeElement);
  const next = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(here + step, 0), rows.length - 1)];
  if (next) next.focus();
}

function decide(form, key) {
  const field = form.querySelector("textarea, input:not([type=hidden]):not([type=checkbox])");
  if (field) {
    field.focus();
    field.select();
  } else {
    form.requestSubmit();
  }
}

document.addEventListener("keydown", (event) => {
  const at = event.target;
  if (isTyping(at)) {
    if (event.key === "Escape") at.blur();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && at.form) at.form.requestSubmit();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const list = document.querySelector("[data-list]");
  if (list && (event.key === "j" || event.key === "k")) {
    move(list, event.key === "j" ? 1 : -1);
    event.preventDefault();
    return;
  }
  const link = [...document.querySelectorAll("a[data-key]")].find((one) => one.dataset.key === event.key);
  const form = [...document.querySelectorAll("form[data-decision]")].find((one) => one.dataset.decision === event.key);
  if (link) link.click();
  if (form) decide(form, event.key);
  if (link || form) event.preventDefault();
});
