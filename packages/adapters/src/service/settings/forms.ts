import type { ConfirmationPolicy } from "@countersign/core/bitcoin/payments"
import { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, baseUnitsOrNone, DecimalString, HexBytes } from "@countersign/core/foundation/primitives"
import { EmailAddress } from "@countersign/core/tenancy/mail"
import { Option, Predicate, Redacted, Schema } from "effect"
import { hasValidChecksum } from "../../chains/evm/index.ts"
import { isPublicKey } from "../../fiat/index.ts"
import { type SecretKey, secretKeysOrNull } from "../../storage/kysely/index.ts"
import type { NftCollection } from "../../tokens/nfts/index.ts"

/** The format of a setting's value, both as the text of an environment variable and as an option of the library. */
export interface Form<A> {
  /** Describes a valid value. Completes the messages "NAME is not …" and "Expected …". */
  readonly expected: string
  /** Parses the text; undefined if it does not have this format. */
  readonly parse: (text: string) => A | undefined
  readonly optionType: string
  /** Converts an option to the text of the environment variable; undefined if the option has another type. */
  readonly textOf: (option: unknown) => string | undefined
}

const textOrUndefined = (option: unknown) => (typeof option === "string" ? option : undefined)
const listOrUndefined = (option: unknown) =>
  typeof option === "string"
    ? option
    : Array.isArray(option) && option.every((one) => typeof one === "string")
      ? option.join(",")
      : undefined

const textForm = <A>(expected: string, parse: Form<A>["parse"]): Form<A> => ({
  expected,
  parse,
  optionType: "string",
  textOf: textOrUndefined
})

const splitAtCommas = (text: string) => text.split(",").map((part) => part.trim())

/** One value, or several values separated by commas. */
const listForm = <A>(expected: string, parseOne: (text: string) => A | undefined): Form<ReadonlyArray<A>> => ({
  expected,
  parse: (text) => {
    const values = splitAtCommas(text).map(parseOne)
    return values.every((value) => value !== undefined) ? values : undefined
  },
  optionType: "string | ReadonlyArray<string>",
  textOf: listOrUndefined
})

/** A format whose parsed value is redacted, so that no log shows it. */
const redactedForm = <A>({ parse, ...form }: Form<A>): Form<Redacted.Redacted<A>> => ({
  ...form,
  parse: (text) => {
    const value = parse(text)
    return value === undefined ? undefined : Redacted.make(value)
  }
})

export const text = textForm("a text", (input) => (input === "" ? undefined : input))

export const secretText = redactedForm(text)

/** The range of a number, inclusive. */
export interface Range {
  readonly from: number
  /** Default: 2^31 - 1, because `setTimeout` with more milliseconds overflows and fires immediately. */
  readonly to?: number
}

/** Only digits: no sign, no exponent, and no other text that JavaScript converts to a number. */
const WHOLE_NUMBER = /^\d{1,15}$/u
/** A computed number, such as 1/3, has up to 17 significant digits. */
const DECIMAL_NUMBER = /^\d{1,15}(?:\.\d{1,20})?$/u

const numberForm = (pattern: RegExp, { from, to = 2 ** 31 - 1 }: Range, description: string): Form<number> => ({
  expected: `${description} from ${from} to ${to}`,
  parse: (input) => {
    const value = pattern.test(input.trim()) ? Number(input) : Number.NaN
    return value >= from && value <= to ? value : undefined
  },
  optionType: "number",
  textOf: (option) => (typeof option === "number" ? String(option) : undefined)
})

export const integer = (range: Range) => numberForm(WHOLE_NUMBER, range, "a whole number")

/** A decimal number in the setting's unit. */
export const decimal = (range: Range, description: string) => numberForm(DECIMAL_NUMBER, range, description)

const FLAG_WORDS = new Map([
  ...["true", "yes", "on", "1", "y"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0", "n"].map((word) => [word, false] as const)
])

export const flag: Form<boolean> = {
  expected: "true or false",
  parse: (input) => FLAG_WORDS.get(input.trim().toLowerCase()),
  optionType: "boolean",
  textOf: (option) => (typeof option === "boolean" ? String(option) : undefined)
}

const quotedWords = (words: ReadonlyArray<string>) => words.map((word) => `"${word}"`).join(" | ")

/** One of these words. */
export const word = <const Words extends ReadonlyArray<string>>(words: Words): Form<Words[number]> => ({
  expected: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
  parse: (input) => words.find((one) => one === input.trim().toLowerCase()),
  optionType: quotedWords(words),
  textOf: textOrUndefined
})

/** An ordered list of some of these words, without duplicates. An empty text is the empty list. */
export const wordsForm = <const Words extends ReadonlyArray<string>>(
  allowedWords: Words,
  expected: string
): Form<ReadonlyArray<Words[number]>> => ({
  expected,
  parse: (input) => {
    const matches =
      input === "" ? [] : splitAtCommas(input).map((part) => allowedWords.find((one) => one === part.toLowerCase()))
    return matches.every((one) => one !== undefined) && new Set(matches).size === matches.length ? matches : undefined
  },
  optionType: `ReadonlyArray<${quotedWords(allowedWords)}>`,
  textOf: (option) => (Array.isArray(option) ? listOrUndefined(option) : undefined)
})

const isHttpUrl = (input: string): boolean => URL.canParse(input) && /^https?:$/u.test(new URL(input).protocol)

export const url = textForm("an http or https URL", (input) => (isHttpUrl(input) ? input : undefined))

/**
 * A folder or the URL of an S3 bucket. Text with another URL scheme is rejected, because it is more likely a mistake
 * than the name of a folder.
 */
export const backupTarget = textForm("a folder or an http or https URL", (input) =>
  isHttpUrl(input) || (input !== "" && !input.includes("://")) ? input : undefined
)

const ageKey = (expected: string, pattern: RegExp) =>
  textForm(expected, (input) => (pattern.test(input.trim()) ? input.trim() : undefined))

/** A bech32 key: https://github.com/C2SP/C2SP/blob/main/age.md */
export const ageRecipient = ageKey("a recipient of age, age1 and 58 more characters", /^age1[02-9ac-hj-np-z]{58}$/u)

export const ageIdentity = redactedForm(
  ageKey("an identity of age, AGE-SECRET-KEY-1 and 58 more characters", /^AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}$/u)
)

/** A URL to which paths are appended, without a trailing slash. */
export const baseUrl = textForm(url.expected, (input) => url.parse(input)?.replace(/\/+$/u, ""))

/** URLs that may contain credentials. They are only used for requests. */
export const urls = listForm("a list of http and https URLs, separated by commas", url.parse)

/** Represents the public nodes of a chain in a list of nodes. */
export const PUBLIC_NODES = "public"

export const nodes = listForm('a list of http and https URLs, separated by commas, or the word "public"', (input) =>
  input === PUBLIC_NODES ? input : url.parse(input)
)

/** Origins as a browser sends them: in lower case, without a path or the default port. `*` is not an origin. */
export const origins = listForm("a list of origins such as https://app.example.com, separated by commas", (input) =>
  isHttpUrl(input) && new URL(input).origin === input ? input : undefined
)

const isAddress = Schema.is(Address)
const isMixedCase = (input: string) => /[a-f]/u.test(input) && /[A-F]/u.test(input)

export const address = textForm("an EVM address, with a valid checksum if it has upper and lower case", (input) => {
  const trimmedInput = input.trim()
  const lowerCase = trimmedInput.toLowerCase()
  return isAddress(lowerCase) && (!isMixedCase(trimmedInput) || hasValidChecksum(trimmedInput)) ? lowerCase : undefined
})

const privateKeyOf = (input: string): HexBytes | undefined => {
  const lowerCase = input.trim().toLowerCase()
  return /^0x[0-9a-f]{64}$/u.test(lowerCase) ? HexBytes.make(lowerCase) : undefined
}

export const privateKey = redactedForm(textForm("a private key: 0x and 64 digits", privateKeyOf))

export const privateKeys = listForm("a list of private keys: each 0x and 64 digits, separated by commas", (input) => {
  const key = privateKeyOf(input)
  return key === undefined ? undefined : Redacted.make(key)
})

export const secretKeys: Form<ReadonlyArray<SecretKey>> = textForm(
  "one or more keys of 32 bytes in base 64, separated by commas, as `openssl rand -base64 32` generates them",
  (input) => secretKeysOrNull(input) ?? undefined
)

const hasProtocol = (protocols: RegExp, input: string) => URL.canParse(input) && protocols.test(new URL(input).protocol)

export const databaseUrl = redactedForm(
  textForm("a URL: postgres://user:password@host:port/database", (input) =>
    hasProtocol(/^postgres(?:ql)?:$/u, input) ? input : undefined
  )
)

export const smtpUrl = redactedForm(
  textForm("a URL: smtp://user:password@host:587, or smtps://…:465 for TLS from the start", (input) =>
    hasProtocol(/^smtps?:$/u, input) && new URL(input).hostname !== "" ? input : undefined
  )
)

export const email = textForm("an email address, such as tax@example.com", (input) =>
  Schema.is(EmailAddress)(input) ? input : undefined
)

/** A public RSA key. In an .env file the key is on one line. */
export const publicKey = textForm("a public RSA key as PEM, which begins with -----BEGIN PUBLIC KEY-----", (input) => {
  const pem = input.replaceAll("\\n", "\n")
  return isPublicKey(pem) ? pem : undefined
})

export const twoBytes = textForm("0x and 4 hexadecimal digits", (input) => {
  const lowerCase = input.trim().toLowerCase()
  return /^0x[\da-f]{4}$/u.test(lowerCase) ? HexBytes.make(lowerCase) : undefined
})

const isChainId = Schema.is(EvmChainId)

const collectionOf = (input: string): NftCollection | undefined => {
  const [chain = "", contractText = "", ...ids] = input.split(":")
  const chainId = Number(chain)
  const contract = address.parse(contractText)
  if (!isChainId(chainId) || contract === undefined || !ids.every((id) => /^\d{1,78}$/u.test(id))) return undefined
  return { chainId, contract, ids: ids.length === 0 ? null : ids.map(BigInt) }
}

const collectionList = listForm(
  "a list such as 8453:0x03a520b32c04bf3beef7beb72e919cf822ed34f1,1:0xd07dc4262bcdbf85190c01c996b4c06a461d2430:17:18",
  collectionOf
)

/** NFT collections: a chain and an address, with token ids for ERC-1155. An empty text is the empty list. */
export const nftCollections: Form<ReadonlyArray<NftCollection>> = {
  ...collectionList,
  parse: (input) => (input === "" ? [] : collectionList.parse(input)),
  optionType: "ReadonlyArray<NftCollectionOption>",
  textOf: (option) =>
    Array.isArray(option) && option.every(Predicate.isObject)
      ? option
          .map(({ address, chainId, ids = [] }: Record<string, unknown>) =>
            [chainId, address, ...(Array.isArray(ids) ? ids : [ids])].join(":")
          )
          .join(",")
      : undefined
}

const BITCOIN_DECIMALS = 8
/** Maximum number of confirmations. Coinbase outputs become spendable after this number. */
const CONFIRMATIONS_MAX = 100

const confirmationStep = (input: string): ConfirmationPolicy[number] | undefined => {
  const [count = "", from = "0", ...rest] = input.split(":")
  const confirmations = Number(count)
  const fromSatoshis = Schema.is(DecimalString)(from) ? Option.getOrNull(baseUnitsOrNone(from, BITCOIN_DECIMALS)) : null
  const isCount = /^\d{1,3}$/u.test(count) && confirmations >= 1 && confirmations <= CONFIRMATIONS_MAX
  return isCount && fromSatoshis !== null && rest.length === 0 ? { fromAmount: fromSatoshis, confirmations } : undefined
}

/**
 * The confirmations that a payment needs: one number, or several numbers, each with the amount in BTC from which it
 * applies.
 */
export const confirmations: Form<ConfirmationPolicy> = listForm(
  "a list such as 1,3:0.1,6:1, with 1 to 100 confirmations each",
  confirmationStep
)
