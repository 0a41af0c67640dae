// Style sheet and script of the set-up page; its policy allows nothing inline.

/** Reads the token from the URL fragment, which no log contains, and hides the input field for it. */
export const script = `const token = location.hash.slice(1)
const field = document.getElementById('token')
const row = document.getElementById('token-row')
if (token !== '' && field !== null && row !== null) {
  field.value = token
  row.hidden = true
}
`

export const style = `:root {
  color-scheme: light dark;
  --ground: #f5f6f4;
  --card: #ffffff;
  --ink: #1d2420;
  --soft: #55605a;
  --line: #d5dad6;
  --edge: #7d8a83;
  --accent: #1a6b4a;
  --on-accent: #ffffff;
  --alarm: #a3201d;
  --alarm-ground: #fdf0ef;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131816;
    --card: #1c2320;
    --ink: #e7ece9;
    --soft: #a5b0aa;
    --line: #343e39;
    --edge: #74817a;
    --accent: #6fcf9f;
    --on-accent: #0d2118;
    --alarm: #ffaaa3;
    --alarm-ground: #3a1e1d;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  overflow-wrap: anywhere;
}
main {
  max-width: 40rem;
  margin: 0 auto;
  padding: clamp(1.5rem, 6vw, 4rem) clamp(1rem, 4vw, 2rem);
}
h1 { margin: 0 0 0.5rem; font-size: clamp(1.6rem, 5vw, 2.1rem); line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
.lead { margin: 0 0 1.75rem; color: var(--soft); font-size: 1.05rem; }
fieldset, dl, .card {
  margin: 0 0 1.25rem;
  padding: 1.25rem;
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--card);
  min-width: 0;
}
legend {
  float: left;
  width: 100%;
  margin: 0 0 0.75rem;
  padding: 0;
  font-size: 1.15rem;
  font-weight: 650;
}
legend + * { clear: both; }
.row + .row { margin-top: 1.1rem; }
.row > label, .label { display: block; font-weight: 600; }
.hint { margin: 0 0 0.35rem; color: var(--soft); font-size: 0.92rem; }
fieldset > .hint { margin-bottom: 1rem; }
.problem { margin: 0 0 0.35rem; color: var(--alarm); font-size: 0.95rem; font-weight: 600; }
.row > input, select {
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--edge);
  border-radius: 0.5rem;
  background: var(--card);
  color: inherit;
  font: inherit;
}
.row > [aria-invalid='true'] { border-color: var(--alarm); }
.boxes { display: grid; gap: 0.15rem; margin-top: 0.35rem; }
.box { display: flex; align-items: baseline; gap: 0.65rem; min-height: 2.5rem; padding: 0.35rem 0; cursor: pointer; }
.box input { flex: none; width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--accent); transform: translateY(0.15rem); }
.box code { color: var(--soft); font-size: 0.82rem; white-space: nowrap; }
button {
  width: 100%;
  min-height: 3rem;
  border: 0;
  border-radius: 0.6rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-size: 1.05rem;
  font-weight: 650;
  cursor: pointer;
}
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.problems {
  margin: 0 0 1.25rem;
  padding: 1rem 1.25rem;
  border: 1px solid var(--alarm);
  border-radius: 0.75rem;
  background: var(--alarm-ground);
}
.problems p { margin: 0 0 0.35rem; font-weight: 650; }
.problems ul { margin: 0; padding-left: 1.2rem; }
.problems a { color: inherit; }
dt { color: var(--soft); font-size: 0.92rem; }
dd { margin: 0.1rem 0 1rem; }
dd:last-child { margin-bottom: 0; }
code, pre { font-family: ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace; }
.secret {
  display: block;
  padding: 0.6rem 0.75rem;
  border: 1px dashed var(--edge);
  border-radius: 0.5rem;
  background: var(--ground);
  font-size: 0.95rem;
  user-select: all;
}
pre {
  margin: 0 0 1.5rem;
  padding: 0.75rem 1rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--card);
  font-size: 0.88rem;
  white-space: pre-wrap;
  user-select: all;
}
@media (min-width: 40rem) {
  button { width: auto; padding: 0 2.25rem; }
  fieldset, dl, .card { padding: 1.5rem 1.75rem; }
}
`
