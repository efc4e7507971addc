/** Returns the path of a request target, without its query. */
export const pathOf = (url: string): string => url.split("?")[0]!

/** Matches percent-encoded characters that need no encoding (RFC 3986 calls them unreserved). */
const UNNECESSARY_ESCAPE = /%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])/u

/**
 * Returns whether the path is in canonical form. Only canonical paths reach a route, so that other spellings cannot
 * bypass the path rules of a proxy. The router itself cuts a path at `;` and `#`, decodes it, and accepts an empty
 * segment as a parameter.
 */
export const isCanonicalPath = (path: string): boolean =>
  path === "/" || (/^(?:\/[^/;#]+)+$/u.test(path) && !UNNECESSARY_ESCAPE.test(path))

/** Router options that disable alternative spellings of a path: other letter case, trailing or duplicate slashes. */
export const exactPaths = {
  // No limit per segment, because the server limits the complete path, and the endpoint reports invalid segments.
  maxParamLength: Number.MAX_SAFE_INTEGER,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true
} as const
