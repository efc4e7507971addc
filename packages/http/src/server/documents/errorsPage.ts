import { type WireErrorId, wireErrors } from "../../errors/index.ts"

const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

/** Text with `code` in it as markup. */
const markup = (text: string): string => escapeMarkup(text).replaceAll(/`([^`]*)`/gu, "<code>$1</code>")

const entry = (id: WireErrorId): string =>
  `<section id="${id}"><h2><a href="#${id}">${id}</a> <small>${wireErrors[id].status}</small></h2>` +
  `<p>${markup(wireErrors[id].meaning)}</p><p>${markup(wireErrors[id].remedy)}</p></section>`

const style =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}" +
  "h2{font-size:1rem;margin:2rem 0 0}p{margin:.25rem 0}a{color:inherit}code,h2{font-family:ui-monospace,monospace}" +
  "small{opacity:.6}section:target{outline:2px solid;outline-offset:.5rem}"

/** Every error id with what it means and what to do: `doc_url` of an error body leads here. */
export const errorsPage = (): string => {
  const ids = (Object.keys(wireErrors) as ReadonlyArray<WireErrorId>).toSorted()
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Countersign: errors</title>` +
    `<meta name="viewport" content="width=device-width,initial-scale=1"><link rel="icon" href="../favicon.svg">` +
    `<style>${style}</style></head><body><h1>Errors</h1>` +
    `<p>Every error body has an <code>id</code>. This is what each means, and what to do about it. ` +
    `<a href="../docs">The reference</a></p>${ids.map(entry).join("")}</body></html>`
  )
}
