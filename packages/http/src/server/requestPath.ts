/** The path of a request's target, without its query. */
export const pathOf = (url: string): string => url.split("?")[0]!

/** Characters that need no encoding, encoded all the same. */
const NEEDLESS_ENCODING = /%(?:2[DdEe]|3[0-9]|4[1-9A-Fa-f]|5[0-9AaFf]|6[1-9A-Fa-f]|7[0-9AaEe])/u

/**
 * Whether the path has the one spelling under which a route may be found: what guards a path in front of the service
 * need not know of others. The router cuts a path at `;` and `#`, decodes it, and takes an empty part for a parameter.
 */
export const hasOneSpelling = (path: string): boolean =>
  path === "/" || (/^(?:\/[^/;#]+)+$/u.test(path) && !NEEDLESS_ENCODING.test(path))

/** No other spelling of a route finds it: not in capitals, with a slash more, or with two of them. */
export const exactPaths = {
  // The endpoint says what is wrong with a part of a path, however long: the server bounds the whole.
  maxParamLength: Number.MAX_SAFE_INTEGER,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true
} as const
