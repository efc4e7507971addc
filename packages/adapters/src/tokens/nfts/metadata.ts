import type { NftMetadata } from "@countersign/core/wallets/nfts"
import { Option, Schema } from "effect"

/** Where an NFT's metadata are: in the token URI itself, or at a URL. */
export type MetadataSource = { readonly json: string } | { readonly url: string }

/** Maximum length of a name in characters. Lengths are limited because metadata are untrusted. */
const NAME_MAX = 200
const DESCRIPTION_MAX = 2_000
const IMAGE_MAX = 256 * 1_024

const IPFS = /^ipfs:\/\/(?:ipfs\/)?/iu

/**
 * Returns the http or https URL in a text; null if there is none. `gateway` serves `ipfs://` paths; null if there is no
 * gateway.
 */
const webUrl = (text: string, gateway: string | null): string | null => {
  if (IPFS.test(text)) return gateway === null ? null : `${gateway.replace(/\/$/u, "")}/${text.replace(IPFS, "")}`
  return /^https?:\/\//iu.test(text) && URL.canParse(text) ? text : null
}

const DATA_JSON = /^data:application\/json(?<parameters>(?:;[^,;]*)*),(?<body>.*)$/isu

/** Decodes percent escapes. An invalid escape is kept unchanged. */
const decodeUriText = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the metadata in a token URI, or the URL from which they can be requested (ERC-721, ERC-1155). Null if the URI
 * is not supported.
 */
export const metadataSource = (uri: string, gateway: string | null): MetadataSource | null => {
  const data = DATA_JSON.exec(uri)?.groups
  if (data !== undefined) {
    const { body = "", parameters = "" } = data
    return { json: /;base64$/iu.test(parameters) ? Buffer.from(body, "base64").toString("utf8") : decodeUriText(body) }
  }
  const url = webUrl(uri, gateway)
  return url === null ? null : { url }
}

/** Replaces the id placeholder in an ERC-1155 URI by 64 hexadecimal digits. */
export const withId = (uri: string, tokenId: bigint): string =>
  uri.replaceAll("{id}", tokenId.toString(16).padStart(64, "0"))

const Fields = Schema.fromJsonString(
  Schema.Struct({
    name: Schema.optionalKey(Schema.Unknown),
    description: Schema.optionalKey(Schema.Unknown),
    image: Schema.optionalKey(Schema.Unknown),
    image_url: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeFields = Schema.decodeUnknownOption(Fields)

const textOrNull = (value: unknown, longest: number): string | null =>
  typeof value === "string" && value !== "" ? value.slice(0, longest) : null

const imageOrNull = (value: unknown, gateway: string | null): string | null => {
  if (typeof value !== "string" || value.length > IMAGE_MAX) return null
  return /^data:image\//iu.test(value) ? value : webUrl(value, gateway)
}

/** Parses the text of metadata; null if it is invalid. */
export const metadataOf = (json: string, gateway: string | null): NftMetadata | null =>
  Option.getOrNull(
    Option.map(decodeFields(json), ({ description, image, image_url: imageUrl, name }) => ({
      name: textOrNull(name, NAME_MAX),
      description: textOrNull(description, DESCRIPTION_MAX),
      image: imageOrNull(image ?? imageUrl, gateway)
    }))
  )
