import { verifyQuote } from "@countersign/http/verify"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"
import type { Hex } from "viem"
import { shortOrLong } from "../../../../core/test/support/longTests.ts"
import { registerOneOfEachKind } from "../../support/accounts.ts"
import { startTestService, type TestService } from "../../support/testService.ts"
import { callsOf, forge } from "../forger.ts"
import { type HonestQuote, raisedUnpaidGasLimits, requestHonestQuotes } from "../honestQuotes.ts"
import { harmsOf, makeChain, type Outcome } from "./outcomes.ts"
import { createRandom, variantOf, vocabularyOf } from "./variants.ts"

/**
 * Random mutations of honest operations. The test executes on-chain each mutation that the verifier accepts. An
 * accepted mutation must not take more from the wallet than the honest operation, pay any receiver less, or leave an
 * additional allowance.
 *
 * FUZZ_VARIANTS=200000 npm test -- packages/http/test/verify/fuzz
 */
const VARIANT_COUNT = Number(process.env.FUZZ_VARIANTS ?? shortOrLong(300, 10_000))
const SEED = Number(process.env.FUZZ_SEED ?? 1)

let service: TestService
let testedQuotes: ReadonlyArray<HonestQuote>

beforeAll(async () => {
  service = await startTestService(raisedUnpaidGasLimits)
  const wallets = await registerOneOfEachKind(service)
  for (const { address } of wallets) await service.fund(address, "native", 10n ** 18n)
  testedQuotes = (await requestHonestQuotes(service, wallets)).filter(
    ({ quote }) => quote.userOperations[0]!.chainId === 1
  )
})
afterAll(() => service.stop())

it(
  `passes none of ${VARIANT_COUNT} changed operations that cause harm`,
  async () => {
    const chain = makeChain(service, service.project.treasury!)
    for (const honestQuote of testedQuotes) await chain.deploy(honestQuote)
    const random = createRandom(SEED)
    const expectedOutcomes = new Map<HonestQuote, readonly [before: Outcome, after: Outcome]>()
    const counts = { passed: 0, same: 0, reverted: 0, executed: 0 }
    const harmfulVariants: Array<string> = []
    const callDataOf = (quote: HonestQuote["quote"]) => quote.userOperations.at(-1)!.callData as Hex
    const outcomeOf = (each: HonestQuote, callData: Hex | null) =>
      chain.outcomeOf(each.account.walletAddress as Hex, each.quote.userOperations[0]!.entryPoint as Hex, callData)
    for (let i = 0; i < VARIANT_COUNT; i++) {
      const honestQuote = testedQuotes[i % testedQuotes.length]!
      const calls = callsOf(honestQuote.quote)
      const variant = variantOf(random, calls, vocabularyOf(honestQuote, calls))
      const quote = forge(honestQuote, { calls: () => variant })
      if (!verifyQuote({ ...honestQuote, quote }).ok) continue
      counts.passed++
      if (callDataOf(quote) === callDataOf(honestQuote.quote)) {
        counts.same++
        continue
      }
      if (!expectedOutcomes.has(honestQuote)) {
        const outcomeBefore = await outcomeOf(honestQuote, null)
        const outcomeAfter = await outcomeOf(honestQuote, callDataOf(honestQuote.quote))
        assert.isNotNull(outcomeAfter, `${honestQuote.kind}, ${honestQuote.name}: the honest operation reverts`)
        expectedOutcomes.set(honestQuote, [outcomeBefore!, outcomeAfter!])
      }
      const outcome = await outcomeOf(honestQuote, callDataOf(quote))
      counts[outcome === null ? "reverted" : "executed"]++
      const harms = outcome === null ? [] : harmsOf(...expectedOutcomes.get(honestQuote)!, outcome)
      if (harms.length > 0) {
        const callsText = variant.map(({ data, to, value }) => `${to} ${value} ${data}`).join("\n")
        harmfulVariants.push(
          `${honestQuote.kind}, ${honestQuote.name}, seed ${SEED}, variant ${i}: ${harms.join("; ")}\n${callsText}`
        )
      }
    }
    process.stdout.write(`${VARIANT_COUNT} variants: ${JSON.stringify(counts)}, ${harmfulVariants.length} harmful\n`)
    assert.deepStrictEqual(harmfulVariants, [])
    assert.isAbove(counts.executed, 0)
  },
  4 * 3_600_000
)
