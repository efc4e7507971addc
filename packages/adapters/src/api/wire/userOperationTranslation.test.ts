import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { anOperationIntent, aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { Project } from "@countersign/core/tenancy/projects"
import { assert, describe, it } from "@effect/vitest"
import { operationId, userOperationBody } from "./userOperationTranslation.ts"

const intent = anOperationIntent()
const quote = aQuote({ id: intent.hash, intents: [intent] })
const project = { id: quote.projectId, organizationId: "organization" } as Project

describe("the body of a user operation", () => {
  it("has the signature and the transaction after its acceptance", () => {
    const signature = HexBytes.make(`0x${"12".repeat(65)}`)
    const execution = anExecution({ signatures: { [intent.signData[0]!.hash]: signature } }, quote)
    const bodyBefore = userOperationBody("", project, { intent, quote, execution: null }, () => null)
    const bodyAfter = userOperationBody("", project, { intent, quote, execution }, () => null)
    assert.deepStrictEqual([bodyBefore.signature, bodyBefore.transactionId], [null, null])
    assert.deepStrictEqual([bodyAfter.signature, bodyAfter.transactionId], [signature, execution.id])
    assert.strictEqual(bodyAfter.id, bodyBefore.id)
  })

  it("has its maximum gas fee in units of the native token and of the fee token", () => {
    const token = {
      chainId: 137,
      address: intent.gas.token,
      name: "USDC",
      symbol: "USDC",
      decimals: 6,
      realWorldAsset: false
    } as const
    const body = userOperationBody("", project, { intent, quote, execution: null }, () => token)
    assert.deepStrictEqual([body.maxGasFeeNative, body.maxGasFeeToken], ["0.01", "1.5"])
  })
})

describe("the id of an operation", () => {
  it.each([
    [`0x${"ff".repeat(32)}`, "ffffffff-ffff-8fff-bfff-ffffffffffff"],
    [`0x${"00".repeat(32)}`, "00000000-0000-8000-8000-000000000000"],
    [`0x0123456789abcdef4edcba9876543210${"00".repeat(16)}`, "01234567-89ab-8def-8edc-ba9876543210"]
  ])("of %s is %s", (hash, id) => assert.strictEqual(operationId(Hash32.make(hash)), id))
})
