import { createHash } from "node:crypto"
import type { PageFiles, PageName } from "./appFiles.ts"

/** A file whose name contains a hash of its content, so that browsers can cache it permanently. */
export interface HashedFile {
  readonly name: string
  readonly contentType: string
  readonly text: string
}

const toHashedFile = (extension: string, contentType: string, text: string): HashedFile => ({
  name: `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.${extension}`,
  contentType,
  text
})

export const toHashedFiles = ({ script, style }: PageFiles) => ({
  script: toHashedFile("js", "text/javascript; charset=utf-8", script),
  style: toHashedFile("css", "text/css; charset=utf-8", style)
})

const escapeAttribute = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

const titles = { app: "Countersign", admin: "Countersign console" } satisfies Record<PageName, string>

/**
 * Builds the HTML page that loads a script. `sandboxKey` is the public API key of a sandbox; null for other services.
 */
export const indexPage = (
  page: PageName,
  { script, style }: ReturnType<typeof toHashedFiles>,
  sandboxKey: string | null
): string =>
  `<!doctype html><html lang="en"${sandboxKey === null ? "" : ` data-sandbox-key="${escapeAttribute(sandboxKey)}"`}><head>` +
  `<meta charset="utf-8"><title>${titles[page]}</title><meta name="viewport" content="width=device-width,initial-scale=1">` +
  '<meta name="color-scheme" content="light dark"><link rel="icon" href="favicon.svg">' +
  `<link rel="stylesheet" href="${page}/${style.name}"><script type="module" src="${page}/${script.name}"></script></head>` +
  "<body><noscript>This page needs JavaScript. The API does not: see /docs.</noscript></body></html>"

/**
 * Restricts the page to resources and requests of its own service. Inline scripts and styles are not allowed, so that
 * an attacker cannot inject them.
 */
export const APP_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
