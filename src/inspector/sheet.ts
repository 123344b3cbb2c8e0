// How the overlay looks. As a constructed sheet, which a page's policy for inline styles does not concern; where a browser has none, as
// a style element.

import { COLOURS } from './plot.ts'

/** The page's rules reach the host element and what is inherited from it: all of that is undone, with the one weight that wins. */
const CSS = `
:host {
  all: initial !important;
  position: fixed !important;
  top: 0 !important;
  left: 0 !important;
  width: 0 !important;
  height: 0 !important;
  overflow: visible !important;
  z-index: 2147483647 !important;
  pointer-events: none !important;
  direction: ltr !important;
  color-scheme: dark !important;
}
:host::backdrop { display: none !important; }
* { box-sizing: border-box; margin: 0; padding: 0; }
[hidden] { display: none !important; }
.box {
  --ground: #12161d; --raised: #1b212b; --edge: #303a48; --text: #e8edf4; --dim: ${COLOURS.text};
  --blue: ${COLOURS.waiting}; --green: ${COLOURS.delivered}; --amber: #f0b648; --red: ${COLOURS.dropped};
  position: fixed;
  display: flex; flex-direction: column;
  max-width: calc(100vw - 16px); max-height: calc(100vh - 16px); max-height: calc(100dvh - 16px);
  overflow: hidden;
  pointer-events: auto; user-select: none; -webkit-user-select: none;
  background: var(--ground); color: var(--text);
  border: 1px solid var(--edge); border-radius: 12px;
  box-shadow: 0 0 0 1px rgb(0 0 0 / .5), 0 8px 28px rgb(0 0 0 / .5);
  font: 12px/1.45 ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  font-variant-numeric: tabular-nums; text-align: left;
}
.box[data-open=true] { width: 372px; }
.box[data-corner^=top] { top: max(8px, env(safe-area-inset-top)); }
.box[data-corner^=bottom] { bottom: max(8px, env(safe-area-inset-bottom)); }
.box[data-corner$=left] { left: max(8px, env(safe-area-inset-left)); }
.box[data-corner$=right] { right: max(8px, env(safe-area-inset-right)); }

button { font: inherit; color: inherit; background: none; border: 0; border-radius: 8px; cursor: pointer; touch-action: manipulation; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: -2px; }
svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; flex: none; }
small, .dim { color: var(--dim); font-size: 11px; }
b { font-weight: 600; }
.mark {
  min-width: 18px; padding: 0 5px; border-radius: 9px;
  background: var(--red); color: #1a0503; font-size: 11px; font-weight: 700; line-height: 18px; text-align: center;
}
.mark:empty { display: none; }
.unseen, .box[data-open=false] .title { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.none { padding: 10px 0; color: var(--dim); }

.bar { display: flex; flex: none; cursor: grab; touch-action: none; }
.bar:active { cursor: grabbing; }
.bar button { touch-action: none; }
.toggle { display: flex; flex: 1; align-items: center; gap: 8px; min-height: 36px; padding: 0 10px; white-space: nowrap; }
.toggle svg { margin-left: -2px; color: var(--dim); transform: rotate(180deg); }
.box[data-corner^=top] .toggle svg { transform: none; }
.box[data-open=true] .toggle svg { transform: none; }
.box[data-open=true][data-corner^=top] .toggle svg { transform: rotate(180deg); }
.light { width: 9px; height: 9px; border-radius: 50%; background: var(--dim); flex: none; }
[data-state=online] .light { background: var(--green); box-shadow: 0 0 6px var(--green); }
[data-state=offline] .light { background: var(--amber); box-shadow: 0 0 6px var(--amber); }
[data-state=online] .state { color: var(--green); }
[data-state=offline] .state { color: var(--amber); }
.title { font-weight: 600; }
.waits { margin-left: auto; color: var(--dim); }
.waits b { color: var(--text); }
.move { display: grid; place-items: center; width: 36px; color: var(--dim); }
.box[data-open=false] .move, .box[data-open=true] .waits, .box[data-open=true] .bar .mark { display: none; }
.box[data-open=true] .state { margin-right: auto; }
.box[data-open=true] .bar { border-bottom: 1px solid var(--edge); border-radius: 12px 12px 0 0; }

.body { display: flex; flex-direction: column; min-height: 0; overflow: auto; overscroll-behavior: contain; }
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); padding: 10px 12px 6px; gap: 8px; }
.tiles dt { color: var(--dim); font-size: 11px; }
.tiles b { display: block; font-size: 20px; line-height: 24px; letter-spacing: -.01em; }
.tiles small { display: block; min-height: 16px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.waiting b { color: var(--blue); }
.delivered b { color: var(--green); }
.dropped b { color: var(--red); }
.plot { display: block; width: calc(100% - 24px); height: 92px; margin: 0 12px; border-radius: 8px; background: var(--raised); }
.kept { padding: 6px 12px 8px; color: var(--dim); font-size: 11px; }
.kept[data-worth=weak] span { color: var(--amber); }
.kept[data-worth=memory] span { color: var(--red); }

.tabs { display: flex; flex: none; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--edge); }
.tabs button {
  display: flex; flex: 1; align-items: center; justify-content: center; gap: 5px; min-height: 32px; padding: 0 6px;
  color: var(--dim); border-radius: 8px 8px 0 0; border-bottom: 2px solid transparent;
}
.tabs [aria-selected=true] { color: var(--text); border-bottom-color: var(--blue); font-weight: 600; }
.page { flex: 1 1 200px; height: 200px; min-height: 88px; padding: 4px 12px; overflow: auto; overscroll-behavior: contain; scrollbar-color: #4a5668 transparent; scrollbar-width: thin; }

.pairs { display: grid; grid-template-columns: auto 1fr; gap: 0 14px; }
.pairs dt, .pairs dd { padding: 3px 0; }
.pairs dt { color: var(--dim); }
.pairs dd { text-align: right; overflow-wrap: anywhere; }
[data-mood=good] { color: var(--green); }
[data-mood=warn] { color: var(--amber); }
[data-mood=bad] { color: var(--red); }
table { width: 100%; border-collapse: collapse; }
th { padding: 4px 0; color: var(--dim); font-size: 11px; font-weight: 400; text-align: left; }
td { padding: 4px 0; border-top: 1px solid #262e3a; vertical-align: top; }
td + td, th + th { padding-left: 10px; }
td small { display: block; }
.number { text-align: right; white-space: nowrap; }
.requests th:last-child { text-align: right; }
.path { width: 100%; overflow-wrap: anywhere; }
.requests td { white-space: nowrap; }
.requests .path { white-space: normal; }
.inactive { opacity: .6; }
s { color: var(--dim); }
.status { padding: 1px 6px; border-radius: 6px; background: #ffffff12; font-size: 11px; font-weight: 600; white-space: nowrap; }

.problems { list-style: none; }
.problems li { padding: 6px 0; }
.problems li + li { border-top: 1px solid #262e3a; }
.head { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.head .count { margin-left: auto; color: var(--dim); }
.message { color: var(--dim); overflow-wrap: anywhere; }
.free { user-select: text; -webkit-user-select: text; cursor: text; }
summary { width: fit-content; padding: 4px 0; color: var(--blue); cursor: pointer; border-radius: 4px; }
pre, textarea {
  width: 100%; margin: 2px 0 4px; padding: 8px; border: 0; border-radius: 8px; background: var(--raised); color: var(--text);
  font: 11px/1.45 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; resize: none;
}

.foot { flex: none; padding: 8px 12px; border-top: 1px solid var(--edge); }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; }
.buttons button { flex: 1 1 auto; min-height: 32px; padding: 0 10px; background: var(--raised); border: 1px solid var(--edge); font-weight: 500; white-space: nowrap; }
.buttons [aria-busy=true] { color: var(--dim); cursor: progress; }
.note { min-height: 24px; padding-top: 6px; color: var(--dim); overflow-wrap: anywhere; }

@media (hover: hover) {
  button:hover { background: #ffffff14; }
  .buttons button:hover { background: #252d3a; }
}
@media (pointer: coarse) {
  .toggle, .tabs button, .buttons button { min-height: 40px; }
  .box[data-open=true] .move { width: 44px; }
}
@media (max-height: 480px) {
  .plot { height: 56px; }
  .kept { display: none; }
}
@media (max-height: 480px) and (min-width: 640px) {
  .box[data-open=true] { width: 632px; }
  .body:not([hidden]) { display: grid; grid-template: auto 1fr auto / 310px 1fr; }
  .body > section { grid-area: 1 / 1 / 3 / 2; }
  .foot { grid-area: 3 / 1 / 4 / 2; border: 0; }
  .buttons button { padding: 0 6px; }
  .tabs { grid-area: 1 / 2 / 2 / 3; }
  .page { grid-area: 2 / 2 / 4 / 3; height: auto; min-height: 0; }
}
`

export function dress(root: ShadowRoot): void {
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
    root.adoptedStyleSheets = [sheet]
  } catch {
    const style = document.createElement('style')
    style.textContent = CSS
    root.append(style)
  }
}
