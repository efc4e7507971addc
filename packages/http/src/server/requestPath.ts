/** The path of a request target, without its query. */
export const pathOf = (url: string): string => url.split("?")[0]!

/** Percent-encoded characters that need no encoding. */
const NEEDLESS_ENCODING = /%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])/u

/**
 * Whether the path is in the canonical form that routes require, so that a proxy's path rules cannot be bypassed. The
 * router cuts a path at `;` and `#`, decodes the path, and accepts an empty segment as a parameter.
 */
export const hasOneSpelling = (path: string): boolean =>
  path === "/" || (/^(?:\/[^/;#]+)+$/u.test(path) && !NEEDLESS_ENCODING.test(path))

/** Disables alternative forms of routes: other case, trailing or duplicate slashes. */
export const exactPaths = {
  // The endpoint reports problems of a path segment of any length, because the server limits the whole path.
  maxParamLength: Number.MAX_SAFE_INTEGER,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true
} as const
