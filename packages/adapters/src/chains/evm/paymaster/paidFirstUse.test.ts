import {
  approveCall,
  Bundler,
  type Call,
  inclusionGraceSeconds,
  type SignableOperation,
  transferCall
} from "@countersign/core/operations/user-operations"
import type { Account } from "@countersign/core/wallets/registry"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { numberToHex } from "viem"
import { SandboxChains, type SandboxKey } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  buildOperation,
  CHAIN,
  evmSandbox,
  evmSandboxPaidFirst,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import { bytesFromHex } from "../hex.ts"
import { RpcClients } from "../RpcClients.ts"
import { tokenChargeIn } from "./singletonPaymaster.ts"

/** Tests the first use of a gas token by wallets that try not to pay for the gas. */

const rpc = (method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.flatMap(RpcClients, (clients) => Effect.promise(() => clients.request(CHAIN, method, params)))

const balanceOf = (owner: string) =>
  Effect.map(
    rpc("eth_call", { to: usdc.address, data: `0x70a08231${owner.slice(2).padStart(64, "0")}` }, "latest"),
    (response) => BigInt(response as string)
  )

const contractOf = Effect.fnUntraced(function* (code: string) {
  const address = randomAddress()
  yield* rpc("anvil_setCode", address, code)
  return address
})

const setSlot = (contract: string, slot: bigint, value: bigint) =>
  rpc("anvil_setStorageAt", contract, numberToHex(slot, { size: 32 }), numberToHex(value, { size: 32 }))

const callTo = (to: Call["to"]): Call => ({ to, value: 0n, data: bytesFromHex("0x"), summary: "Call a contract" })

/** Code that reverts if its first storage slot is set. */
const REVERTS_WHEN_SET = "0x5f54156009575f5ffd5b00"

/** Code that transfers the amount in its second storage slot from its caller. */
const TAKES_STORED_AMOUNT = `0x6323b872dd60e01b5f523360045230602452600154604452${"5f5f60645f5f73"}${usdc.address.slice(2)}5af15000`

/**
 * Builds a proxy for the token at `implementation` with USDT's rule: `approve` reverts if both the amount and the
 * current allowance are nonzero. All other calls are delegated.
 */
const refusesToChangeAllowances = (implementation: string): string => {
  const delegate = `73${implementation.slice(2)}5af4`
  const rule = (end: string) =>
    [
      `5f3560e01c63095ea7b31415${end}57`,
      `60243515${end}57`,
      `63dd62ed3e60e01b5f523360045260043560245260205f60445f${delegate}50`,
      `5f5115${end}57`,
      "5f5ffd"
    ].join("")
  const forward = `5b365f5f375f5f365f${delegate}3d5f5f3e`
  const start = rule("6000").length / 2
  const success = start + forward.length / 2 + 6
  const push1 = (offset: number) => `60${offset.toString(16).padStart(2, "0")}`
  return `0x${rule(push1(start))}${forward}${push1(success)}573d5ffd5b3d5ff3`
}

/** Code that writes one word at a high memory offset, which costs two million gas. */
const TAKES_TWO_MILLION_GAS = "0x5f621000005200"

const sendOne = Effect.fnUntraced(function* (
  account: Account,
  owner: SandboxKey,
  { hash, operation }: SignableOperation
) {
  const { authorization, signature } = yield* signOperation(account, owner, operation)
  yield* (yield* Bundler).submit(operation, signature, authorization)
  return yield* outcomeOf(operation, hash)
})

type BuiltOperation = Effect.Success<ReturnType<typeof buildOperation>>

const assertUnsigned = ({ first, operation }: BuiltOperation) => {
  for (const { paymaster } of [operation, first!.operation]) {
    assert.isTrue(paymaster!.data.endsWith(stubEcdsaSignature.slice(2)), "the paymaster has signed")
  }
}

/** Returns the expiry in Unix seconds: the six bytes after the mode and the flags. */
const validUntilOf = ({ operation: { paymaster } }: SignableOperation) => Number(`0x${paymaster!.data.slice(6, 18)}`)

/** The attacks: what the wallet signs, and what happens in the block. */
const attacks = {
  "reverts in the block only": Effect.gen(function* () {
    const trapContract = yield* contractOf(REVERTS_WHEN_SET)
    return { calls: [callTo(trapContract)], spring: () => setSlot(trapContract, 0n, 1n) }
  }),
  "sends its tokens away in the block only": Effect.gen(function* () {
    const maliciousContract = yield* contractOf(TAKES_STORED_AMOUNT)
    yield* setSlot(maliciousContract, 1n, 1n)
    return {
      calls: [approveCall(usdc, maliciousContract, 2n ** 255n), callTo(maliciousContract)],
      spring: Effect.fnUntraced(function* (account: Account, { operation }: BuiltOperation) {
        const prefund = tokenChargeIn(operation.paymaster!.data)!.prefund
        yield* setSlot(maliciousContract, 1n, (yield* balanceOf(account.address)) - prefund)
      })
    }
  })
}

const attack = Effect.fnUntraced(function* (
  kind: (typeof accountKinds)[number],
  { calls, spring }: Effect.Success<(typeof attacks)[keyof typeof attacks]>
) {
  const owner = freshOwner()
  const account = yield* fundedAccount(kind, owner)
  const builtOperation = yield* buildOperation(account, calls, usdc)
  assert.isNull(builtOperation.simulation.revert)
  const firstPayment = builtOperation.first === null ? null : yield* sendOne(account, owner, builtOperation.first)
  yield* spring(account, builtOperation)
  const balanceBefore = yield* balanceOf(account.address)
  const outcome = yield* sendOne(account, owner, builtOperation)
  return {
    account,
    built: builtOperation,
    first: firstPayment,
    outcome,
    lost: balanceBefore - (yield* balanceOf(account.address))
  }
})

const forEachAttack = (
  sandbox: typeof evmSandbox,
  name: string,
  check: (result: Effect.Success<ReturnType<typeof attack>>, attackName: string) => void
) =>
  layer(sandbox, { excludeTestServices: true })(name, (it) => {
    for (const kind of accountKinds) {
      for (const [attackName, make] of Object.entries(attacks)) {
        it.effect(`${kind}: ${attackName}`, () =>
          Effect.gen(function* () {
            check(yield* attack(kind, yield* make), attackName)
          })
        )
      }
    }
  })

forEachAttack(evmSandbox, "a trusted first use is not paid", ({ built, lost, outcome }) => {
  assert.isNull(built.first)
  assert.isFalse(outcome.success)
  assert.isNull(outcome.tokenPayment)
  assert.strictEqual(lost, 0n)
})

forEachAttack(evmSandboxPaidFirst, "a first use with payment in advance is paid", ({ first, outcome }) => {
  assert.isTrue(first?.success)
  assert.isTrue(first!.tokenPayment!.amount > 0n)
  assert.isTrue(outcome.tokenPayment!.amount > 0n)
})

layer(evmSandboxPaidFirst, { excludeTestServices: true })("a first use with payment in advance", (it) => {
  for (const kind of accountKinds) {
    it.effect(`${kind}: consists of two operations the first time, which cost the quoted amount`, () =>
      Effect.gen(function* () {
        const { keys } = yield* SandboxChains
        const owner = freshOwner()
        const account = yield* fundedAccount(kind, owner)
        const to = randomAddress()
        const pay = () => buildOperation(account, [transferCall(usdc, to, 1_000_000n)], usdc)

        const builtOperation = yield* pay()
        assert.isNull(builtOperation.simulation.revert)
        const { first } = builtOperation
        assert.isNotNull(first)
        assert.lengthOf(builtOperation.calls, 2)
        assert.match(
          builtOperation.calls[0]!.summary,
          /for the gas of this and later operations, only for operations that the owner signs, and at most [\d.]+ \w+ for this operation$/u
        )
        assert.strictEqual(builtOperation.operation.nonce, first.operation.nonce + 1n)
        assert.isNull(builtOperation.operation.factory)
        assert.isNull(builtOperation.operation.authorization)
        assert.isTrue(tokenChargeIn(builtOperation.operation.paymaster!.data)!.prefund > 0n)
        assert.strictEqual(builtOperation.totalGas.maxToken, first.gas.maxToken + builtOperation.gas.maxToken)
        // The second operation may have to wait until the first one has become invalid. Afterwards it has the same time
        // to be included as the first one had.
        assert.strictEqual(validUntilOf(builtOperation) - validUntilOf(first), inclusionGraceSeconds(CHAIN))

        // An operation that is submitted too early is neither sent nor rejected.
        const earlySignature = yield* signOperation(account, owner, builtOperation.operation)
        yield* (yield* Bundler).submit(builtOperation.operation, earlySignature.signature, null)

        const balanceBefore = yield* balanceOf(account.address)
        const firstOutcome = yield* sendOne(account, owner, first)
        assert.isTrue(firstOutcome.success, firstOutcome.revert?.decoded)
        assert.deepStrictEqual(firstOutcome.transfers, [])
        const sentOperation = yield* sendOne(account, owner, builtOperation)
        assert.isTrue(sentOperation.success, sentOperation.revert?.decoded)
        assert.isTrue(sentOperation.blockNumber > firstOutcome.blockNumber)
        const spentAmount = balanceBefore - (yield* balanceOf(account.address)) - 1_000_000n
        assert.strictEqual(firstOutcome.tokenPayment!.amount + sentOperation.tokenPayment!.amount, spentAmount)
        assert.strictEqual(sentOperation.tokenPayment!.to, keys.treasury.address)
        assert.isTrue(spentAmount < builtOperation.totalGas.maxToken)
        assert.closeTo(Number(builtOperation.totalGas.expectedToken), Number(spentAmount), 0.02 * Number(spentAmount))

        const nextPayment = yield* pay()
        assert.isNull(nextPayment.first)
        assert.lengthOf(nextPayment.calls, 1)
        assert.isTrue((yield* sendOne(account, owner, nextPayment)).success)
      })
    )
  }

  it.effect(
    "resets an insufficient allowance in the first operation, for a token that does not allow changing one",
    () =>
      Effect.gen(function* () {
        const { paymasters } = yield* SandboxChains
        const code = (yield* rpc("eth_getCode", usdc.address, "latest")) as string
        const implementation = yield* contractOf(code)
        const clients = yield* RpcClients
        yield* Effect.addFinalizer(() =>
          Effect.promise(() => clients.request(CHAIN, "anvil_setCode", [usdc.address, code]))
        )
        yield* rpc("anvil_setCode", usdc.address, refusesToChangeAllowances(implementation))
        const owner = freshOwner()
        const account = yield* fundedAccount("SIMPLE_0_8", owner)
        const approve = approveCall(usdc, paymasters["0.8"], 1n)
        assert.isTrue((yield* sendOne(account, owner, yield* buildOperation(account, [approve], nativeToken))).success)
        const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
        assert.lengthOf(builtOperation.calls, 3)
        assert.match(builtOperation.calls[0]!.summary, / 0 USDC$/u)
        assert.isTrue((yield* sendOne(account, owner, builtOperation.first!)).success)
        assert.isTrue((yield* sendOne(account, owner, builtOperation)).success)
        const changedOperation = yield* buildOperation(
          account,
          [approveCall(usdc, paymasters["0.8"], 2n ** 255n)],
          nativeToken
        )
        assert.isNotNull(changedOperation.simulation.revert)
      })
  )

  it.effect("also applies if an allowance covers the expected cost of an operation, but not its actual cost", () =>
    Effect.gen(function* () {
      const { paymasters } = yield* SandboxChains
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const expensiveCalls = [callTo(yield* contractOf(TAKES_TWO_MILLION_GAS))]
      const { gas } = yield* buildOperation(account, expensiveCalls, usdc)
      const allowedAmount = numberToHex(gas.maxToken)
      yield* rpc("anvil_setERC20Allowance", account.address, paymasters["0.8"], usdc.address, allowedAmount)
      assert.isNull((yield* buildOperation(account, [], usdc)).first)
      const builtOperation = yield* buildOperation(account, expensiveCalls, usdc)
      assert.isNull(builtOperation.simulation.revert)
      assert.isTrue((yield* sendOne(account, owner, builtOperation.first!)).success)
      assert.isTrue((yield* sendOne(account, owner, builtOperation)).success)
    })
  )

  it.effect("fails if the allowance is revoked before the calls", () =>
    Effect.gen(function* () {
      const { paymasters } = yield* SandboxChains
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_7", owner)
      const builtOperation = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
      assert.isTrue((yield* sendOne(account, owner, builtOperation.first!)).success)
      yield* rpc("anvil_setERC20Allowance", account.address, paymasters["0.7"], usdc.address, "0x0")
      const { signature } = yield* signOperation(account, owner, builtOperation.operation)
      const refusal = yield* Effect.flip((yield* Bundler).submit(builtOperation.operation, signature, null))
      assert.match(refusal.message, /AA33/u)
    })
  )

  it.effect("is paid even if the calls revoke the allowance, which is detected without an estimate", () =>
    Effect.gen(function* () {
      const { paymasters } = yield* SandboxChains
      for (const amount of [2n ** 255n, 0n]) {
        const owner = freshOwner()
        const account = yield* fundedAccount("SIMPLE_0_8", owner)
        const builtOperation = yield* buildOperation(account, [approveCall(usdc, paymasters["0.8"], amount)], usdc)
        assert.isNull(builtOperation.simulation.revert)
        assert.isTrue((yield* sendOne(account, owner, builtOperation.first!)).success)
        const outcome = yield* sendOne(account, owner, builtOperation)
        assert.isTrue(outcome.success)
        assert.isTrue(outcome.tokenPayment!.amount > 0n)
      }
    })
  )

  it.effect("is rejected and not signed if the calls themselves revoke the allowance", () =>
    Effect.gen(function* () {
      const { paymasters } = yield* SandboxChains
      const account = yield* fundedAccount("SIMPLE_0_7", freshOwner())
      const builtOperation = yield* buildOperation(account, [approveCall(usdc, paymasters["0.7"], 0n)], usdc)
      assert.match(builtOperation.simulation.revert!.decoded, /AA50/u)
      assertUnsigned(builtOperation)
    })
  )

  it.effect("is neither paid nor signed by the paymaster if the wallet has no balance", () =>
    Effect.gen(function* () {
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      yield* rpc("anvil_dealERC20", account.address, usdc.address, "0x0")
      const builtOperation = yield* buildOperation(account, [], usdc)
      assert.isNotNull(builtOperation.simulation.revert)
      assertUnsigned(builtOperation)
    })
  )
})
