export interface JsonLimits {
  /** Maximum depth of nested arrays and objects. */
  readonly depthMax: number
  /** Maximum number of fields of one object. */
  readonly fieldsMax: number
  /** Maximum number of elements of one array. */
  readonly elementsMax: number
  /** Maximum number of values in the complete text. */
  readonly valuesMax: number
}

/** The largest requests of the API, batches of 100 operations, have only a few levels and about 3,000 values. */
export const defaultJsonLimits: JsonLimits = { depthMax: 32, fieldsMax: 256, elementsMax: 1_000, valuesMax: 10_000 }

/** The limit that a JSON text exceeds. */
export interface JsonProblem {
  readonly code: "too_deep" | "too_many_fields" | "too_many_elements" | "too_many_values"
  readonly message: string
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

const problemOf = (code: JsonProblem["code"], limits: JsonLimits): JsonProblem => {
  switch (code) {
    case "too_deep":
      return { code, message: `Expected JSON nested at most ${limits.depthMax} levels deep.` }
    case "too_many_fields":
      return { code, message: `Expected objects of at most ${limits.fieldsMax} fields.` }
    case "too_many_elements":
      return { code, message: `Expected arrays of at most ${limits.elementsMax} elements.` }
    case "too_many_values":
      return { code, message: `Expected JSON of at most ${limits.valuesMax} values.` }
  }
}

/**
 * Returns the first limit that a JSON text exceeds; null if it exceeds none. Scans the text without parsing it, because
 * parsing and decoding are expensive. The result is arbitrary for invalid JSON, which the parser rejects later.
 */
export const jsonProblemOrNull = (text: string, limits: JsonLimits): JsonProblem | null => {
  /** By depth: whether the open container is an object (1) or an array (0), and its number of values so far. */
  const isObject = new Uint8Array(limits.depthMax + 1)
  const counts = new Uint32Array(limits.depthMax + 1)
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE: {
        for (i += 1; i < text.length && text.charCodeAt(i) !== QUOTE; i++) {
          if (text.charCodeAt(i) === BACKSLASH) i += 1
        }
        break
      }
      case OPEN_ARRAY:
      case OPEN_OBJECT: {
        if (depth === limits.depthMax) return problemOf("too_deep", limits)
        depth += 1
        isObject[depth] = text.charCodeAt(i) === OPEN_OBJECT ? 1 : 0
        counts[depth] = 1
        values += 1
        break
      }
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: {
        depth = Math.max(0, depth - 1)
        break
      }
      case COMMA: {
        values += 1
        const count = ++counts[depth]!
        if (isObject[depth] === 1 && count > limits.fieldsMax) return problemOf("too_many_fields", limits)
        if (isObject[depth] === 0 && count > limits.elementsMax) return problemOf("too_many_elements", limits)
        break
      }
    }
    if (values > limits.valuesMax) return problemOf("too_many_values", limits)
  }
  return null
}
