import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes } from "../../foundation/primitives/index.ts"
import { mainOperation } from "../../operations/intents/index.ts"
import type { Call } from "../../operations/user-operations/index.ts"
import type { Admission } from "./HolderRules.ts"
import { aPool, aSwapFixture, aToken, quote, type SwapFixture, swapLayer } from "./swap.fixture.ts"

const joinCall: Call = { to: anAddress(), value: 0n, data: HexBytes.make("0x1234"), summary: "Join" }
const admissions: Record<"admitted" | "joins" | "refused", Admission> = {
  admitted: { _tag: "Admitted" },
  joins: { _tag: "Joins", calls: [joinCall] },
  refused: { _tag: "Refused", reason: "its issuer has to." }
}

/** Creates a swap of USDC for bonds, for the verified individual Ana. */
const makeFixture = (admission: keyof typeof admissions = "admitted") => {
  const bonds = aToken("BONDS", { realWorldAsset: true })
  const swapFixture = aSwapFixture()
  swapFixture.listedTokens.push(bonds)
  swapFixture.individuals.add(`${swapFixture.project.id} ana`)
  swapFixture.admission = () => admissions[admission]
  return { ...swapFixture, bonds }
}
type Fixture = ReturnType<typeof makeFixture>

const quoteSwap = (setup: Fixture, fields: Parameters<typeof quote>[1] = {}) =>
  quote(setup, { tokenOut: setup.bonds.address, individualId: "ana", ...fields }).pipe(
    Effect.map(({ quotes: [first] }) => first!),
    Effect.provide(swapLayer(setup as SwapFixture, [aPool("pool", 3n)]))
  )

describe("A swap of a real-world asset", () => {
  it.effect("requires an individual that the project has verified", () =>
    Effect.gen(function* () {
      const scenario = makeFixture()
      for (const individualId of [null, "bea", ""])
        assert.strictEqual(
          (yield* Effect.flip(quoteSwap(scenario, { individualId })))._tag,
          "INDIVIDUAL_VERIFICATION_REQUIRED"
        )
      scenario.individuals.clear()
      scenario.individuals.add(`${aSwapFixture().project.id} ana`)
      assert.strictEqual((yield* Effect.flip(quoteSwap(scenario)))._tag, "INDIVIDUAL_VERIFICATION_REQUIRED")
    })
  )

  it.effect("needs one operation if the token's allowlist already contains the wallet", () =>
    Effect.gen(function* () {
      const { content, quote: storedQuote } = yield* quoteSwap(makeFixture())
      assert.lengthOf(storedQuote.intents, 1)
      assert.notProperty(content, "joins")
    })
  )

  it.effect("needs two operations if the wallet must join the allowlist first", () =>
    Effect.gen(function* () {
      const { content, quote: stored } = yield* quoteSwap(makeFixture("joins"))
      const [first, second] = stored.intents
      assert.strictEqual(mainOperation(stored.intents), second)
      assert.strictEqual(content.joins, first?.type === "USER_OPERATION" ? first.hash : "none")
      assert.strictEqual(stored.id, mainOperation(stored.intents)?.hash)
      assert.deepStrictEqual(content.calls[0]?.summary, "Join")
    })
  )

  it.effect("joins no allowlist for another receiver, or for a token that admits no new accounts", () =>
    Effect.gen(function* () {
      const otherReceiverError = yield* Effect.flip(quoteSwap(makeFixture("joins"), { toAddress: anAddress() }))
      assert.match(otherReceiverError.message, /toAddress[\s\S]*may not hold BONDS: .*only the receiver can join/u)
      assert.match(
        (yield* Effect.flip(quoteSwap(makeFixture("refused")))).message,
        /may not hold BONDS: its issuer has to/u
      )
    })
  )

  it.effect("also checks whether the wallet may send the token", () =>
    Effect.gen(function* () {
      const scenario = makeFixture("refused")
      const fields = { tokenIn: scenario.bonds.address, tokenOut: scenario.usdc.address }
      assert.match((yield* Effect.flip(quoteSwap(scenario, fields))).message, /walletAddress/u)
    })
  )
})
