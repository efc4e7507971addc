import type { Chance } from "./Chance.ts"
import type { JsonSchema, OpenApiDocument } from "./JsonSchema.ts"

/** Edge values that often break programs, whatever type is expected. */
const edgeValues: ReadonlyArray<unknown> = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 53 + 2,
  0.1,
  "",
  " ",
  "\u0000",
  "null",
  "-1",
  "1e3",
  "0x",
  "0",
  "NaN",
  "Infinity",
  "9".repeat(400),
  "a".repeat(70_000),
  "💣".repeat(500),
  "\ud800",
  "'; drop table projects; --",
  "../../etc/passwd",
  "%00",
  "{{7*7}}",
  "<script>alert(1)</script>",
  [],
  {},
  [[[[[]]]]],
  { __proto__: null },
  { constructor: 1 },
  ["1", 2, null]
]

const hexDigits = "0123456789abcdefABCDEF"

const randomHex = (chance: Chance, digits: number): string => {
  let text = "0x"
  for (let i = 0; i < digits; i++) text += hexDigits[chance.below(hexDigits.length)]
  return text
}

const randomDecimal = (chance: Chance): string => {
  const wholePart = String(chance.below(10 ** chance.below(12)))
  return chance.happens(0.4) ? `${wholePart}.${chance.below(10 ** chance.below(12))}` : wholePart
}

/** Values that exist in the service. Without them most requests would fail their first check. */
export interface KnownValues {
  readonly wallets: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<string>
  readonly factories: ReadonlyArray<string>
  readonly owners: ReadonlyArray<string>
  /** NFT ids of positions, ids of pools in the API's format, and ids of Morpho Blue markets. */
  readonly nfts: ReadonlyArray<string>
  readonly pools: ReadonlyArray<string>
  readonly markets: ReadonlyArray<string>
  hashes: ReadonlyArray<string>
}

export class Values {
  readonly #chance: Chance
  readonly #document: OpenApiDocument
  readonly #known: KnownValues
  /**
   * Probability that a value is an edge value, that a required field is missing, or that a body has a further field.
   */
  readonly #mischief: number

  constructor(chance: Chance, document: OpenApiDocument, knownValues: KnownValues, faultRate: number) {
    this.#chance = chance
    this.#document = document
    this.#known = knownValues
    this.#mischief = faultRate
  }

  /** Returns a value for a schema. The value is usually valid. */
  of(schema: JsonSchema, name: string): unknown {
    const chance = this.#chance
    if (chance.happens(this.#mischief)) return chance.of(edgeValues)
    if (schema.$ref !== undefined)
      return this.of(this.#document.components.schemas[schema.$ref.split("/").at(-1)!]!, name)
    const alternatives = schema.anyOf ?? schema.oneOf
    if (alternatives !== undefined) return this.of(chance.of(alternatives), name)
    if (schema.allOf !== undefined) return this.#merged(schema, schema.allOf, name)
    if (schema.const !== undefined) return schema.const
    // Prefers the first chain, which contains most of the data.
    if (/chain/iu.test(name) && schema.enum?.includes(1) === true && chance.happens(0.6)) return 1
    if (schema.enum !== undefined) return chance.of(schema.enum)
    switch (schema.type) {
      case "object":
        return this.#object(schema)
      case "array":
        return Array.from({ length: chance.below(4) }, () => this.of(schema.items ?? {}, name))
      case "boolean":
        return chance.happens(0.5)
      case "integer":
      case "number":
        return this.#number(schema)
      case "string":
        return this.#string(name)
      case "null":
        return null
      default:
        return chance.of(edgeValues)
    }
  }

  #merged({ allOf: _, ...schema }: JsonSchema, parts: ReadonlyArray<JsonSchema>, name: string): unknown {
    return this.of(Object.assign({}, schema, ...parts), name)
  }

  #number({ maximum = 1e6, minimum = -1e6, type }: JsonSchema): number {
    const chance = this.#chance
    const edgeChoice = chance.below(6)
    const value =
      edgeChoice === 0
        ? minimum
        : edgeChoice === 1
          ? maximum
          : edgeChoice === 2
            ? minimum - 1
            : minimum + chance.next() * (maximum - minimum)
    return type === "integer" ? Math.round(value) : value
  }

  #string(name: string): string {
    const chance = this.#chance
    const knownValues = this.#known
    if (/hash|quoteId/iu.test(name) && chance.happens(0.7))
      return knownValues.hashes.length > 0 && chance.happens(0.5)
        ? chance.of(knownValues.hashes)
        : randomHex(chance, 64)
    if (/tokenId|nftNumber|positionId/u.test(name) && chance.happens(0.9)) return chance.of(knownValues.nfts)
    if (/market/iu.test(name) && chance.happens(0.9)) return chance.of(knownValues.markets)
    if (name === "id" && chance.happens(0.5)) return chance.of(knownValues.pools)
    if (/token/iu.test(name) && chance.happens(0.9)) return chance.of(knownValues.tokens)
    if (/factory/iu.test(name) && chance.happens(0.9)) return chance.of(knownValues.factories)
    if (/wallet|toAddress/iu.test(name) && chance.happens(0.9)) return chance.of(knownValues.wallets)
    if (/owned|owner/iu.test(name) && chance.happens(0.8)) return chance.of(knownValues.owners)
    if (/amount/iu.test(name) && chance.happens(0.9)) return chance.happens(0.1) ? "MAX" : randomDecimal(chance)
    if (/signature|authorization/iu.test(name)) return randomHex(chance, 2 * chance.of([0, 1, 64, 65, 66]))
    if (/salt|take|page|chain/iu.test(name)) return String(chance.below(1000))
    if (/createdAt/iu.test(name))
      return chance.of(["2026-01-01T00:00:00Z", "2026-01-01", "yesterday", "9999-12-31T23:59:59Z"])
    return chance.of(["a", "b", "order-1", randomDecimal(chance), randomHex(chance, 40), "ü漢"])
  }

  #object({ additionalProperties, properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
    const chance = this.#chance
    const result: Record<string, unknown> = {}
    for (const [key, schema] of Object.entries(properties)) {
      const isOmitted = required.includes(key) ? chance.happens(this.#mischief) : chance.happens(0.6)
      if (!isOmitted) result[key] = this.of(schema, key)
    }
    if (chance.happens(this.#mischief))
      result[chance.of(["extra", "__proto__", "constructor", "", "toString"])] = chance.of(edgeValues)
    if (typeof additionalProperties === "object") {
      for (let i = chance.below(3); i > 0; i--) result[`key${i}`] = this.of(additionalProperties, "value")
    }
    return result
  }
}
