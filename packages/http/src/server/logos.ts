import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { chains } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { TokenCatalog, tokenKey } from "@countersign/core/foundation/tokens"
import { Effect, Layer, Option, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse } from "./fallbackErrors.ts"
import { requestInfo } from "./RequestInfo.ts"

/** Returns the hue of a badge. The same name always gets the same color. */
const hueOf = (name: string): number =>
  [...name].reduce((hue, character) => (hue * 31 + character.charCodeAt(0)) % 360, 7)

const escapeMarkup = (text: string): string =>
  text.replaceAll(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

/** Draws a round badge with the first letters of a name, as SVG. */
export const badge = (name: string): string => {
  const letters = escapeMarkup(name.slice(0, 4))
  const size = letters.length > 3 ? 20 : letters.length > 2 ? 24 : 30
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" role="img" aria-label="${escapeMarkup(name)}">` +
    `<circle cx="40" cy="40" r="40" fill="hsl(${hueOf(name)} 55% 42%)"/>` +
    `<text x="40" y="41" fill="#fff" font-family="system-ui,sans-serif" font-weight="600" font-size="${size}" ` +
    `text-anchor="middle" dominant-baseline="central">${letters}</text></svg>`
  )
}

const badgeResponse = (name: string) =>
  HttpServerResponse.text(badge(name), {
    contentType: "image/svg+xml",
    headers: { "cache-control": "public, max-age=86400" }
  })

const notFoundResponse = () => errorResponse("NOT_FOUND", "This logo does not exist.", requestInfo().traceId)

const decodeAddress = Schema.decodeUnknownOption(Address)

/** Badge texts by provider id, for the providers that responses mention. */
const providerNames: Readonly<Record<string, string>> = {
  LENDING_PROVIDER_A: "Aave",
  LENDING_PROVIDER_B: "Morpho",
  LIQUIDITY_PROVIDER_V3: "Uniswap V3"
}

/** Serves the logos that responses link to, so that links never lead to another host. */
export const layerLogos = Layer.effectDiscard(
  Effect.gen(function* () {
    const router = yield* HttpRouter.HttpRouter
    const catalog = yield* TokenCatalog
    yield* router.add(
      "GET",
      "/logos/chains/:file",
      Effect.map(HttpRouter.params, ({ file }) => {
        const chain = chains.find(({ id }) => `${id}.svg` === file)
        return chain === undefined ? notFoundResponse() : badgeResponse(chain.name)
      })
    )
    yield* router.add(
      "GET",
      "/logos/providers/:file",
      Effect.map(HttpRouter.params, ({ file = "" }) => {
        const name = providerNames[file.replace(/\.svg$/u, "")]
        return name === undefined ? notFoundResponse() : badgeResponse(name)
      })
    )
    yield* router.add(
      "GET",
      "/logos/tokens/:chainId/:file",
      Effect.flatMap(HttpRouter.params, ({ chainId, file = "" }) => {
        const chain = chains.find(({ id }) => String(id) === chainId)
        const address = decodeAddress(file.replace(/\.svg$/u, ""))
        if (chain === undefined || Option.isNone(address)) return Effect.succeed(notFoundResponse())
        if (tokenKey({ chainId: chain.id, address: address.value }) === tokenKey(bitcoinToken)) {
          return Effect.succeed(badgeResponse(bitcoinToken.symbol))
        }
        return Effect.map(
          catalog.find(chain.id, address.value),
          Option.match({ onNone: notFoundResponse, onSome: ({ symbol }) => badgeResponse(symbol) })
        )
      })
    )
  })
)
