import { approveCall, Bundler, transferCall, type UserOperation } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  buildOperation,
  CHAIN,
  evmSandbox,
  freshOwner,
  nativeToken,
  outcomeOf,
  randomAddress,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"
import { RpcClients } from "../RpcClients.ts"
import { tokenChargeIn } from "./singletonPaymaster.ts"

const prefundOf = ({ paymaster }: UserOperation) => (paymaster === null ? null : tokenChargeIn(paymaster.data)?.prefund)

const balanceOf = (owner: string) =>
  Effect.flatMap(RpcClients, (rpc) =>
    Effect.promise(async () => {
      const data = `0x70a08231${owner.slice(2).padStart(64, "0")}`
      return BigInt((await rpc.request(CHAIN, "eth_call", [{ to: usdc.address, data }, "latest"])) as string)
    })
  )

/** Code that reverts if its first storage slot is set. The test sets the slot after the simulation. */
const REVERTS_WHEN_SET = "0x5f54156009575f5ffd5b00"

layer(evmSandbox, { excludeTestServices: true })("a fee that is charged before the calls", (it) => {
  const send = Effect.fnUntraced(function* (
    account: Parameters<typeof buildOperation>[0],
    owner: ReturnType<typeof freshOwner>,
    { operation, hash }: Effect.Success<ReturnType<typeof buildOperation>>
  ) {
    const { authorization, signature } = yield* signOperation(account, owner, operation)
    yield* (yield* Bundler).submit(operation, signature, authorization)
    return yield* outcomeOf(operation, hash)
  })

  for (const kind of accountKinds) {
    it.effect(`${kind}: is charged exactly, from the second operation on, and is paid even if the calls revert`, () =>
      Effect.gen(function* () {
        const { keys } = yield* SandboxChains
        const rpc = yield* RpcClients
        const owner = freshOwner()
        const account = yield* fundedAccount(kind, owner)
        const to = randomAddress()
        const pay = () => buildOperation(account, [transferCall(usdc, to, 1_000_000n)], usdc)

        const firstPayment = yield* pay()
        assert.strictEqual(prefundOf(firstPayment.operation), 0n)
        assert.match(
          firstPayment.calls[0]!.summary,
          /for the gas of this and later operations, only for operations that the owner signs, and at most [\d.]+ \w+ for this operation$/u
        )
        assert.isTrue((yield* send(account, owner, firstPayment)).success)

        const secondPayment = yield* pay()
        assert.isTrue(prefundOf(secondPayment.operation)! > 0n)
        assert.lengthOf(secondPayment.calls, 1)
        const balanceBefore = yield* balanceOf(account.address)
        const paidOperation = yield* send(account, owner, secondPayment)
        assert.isTrue(paidOperation.success)
        const spentAmount = balanceBefore - (yield* balanceOf(account.address))
        assert.deepStrictEqual(paidOperation.transfers, [
          { token: usdc.address, from: account.address, to, amount: 1_000_000n }
        ])
        assert.deepStrictEqual(paidOperation.tokenPayment, {
          token: usdc.address,
          from: account.address,
          to: keys.treasury.address,
          amount: spentAmount - 1_000_000n
        })
        assert.isTrue(paidOperation.tokenPayment!.amount < secondPayment.gas.maxToken)
        assert.closeTo(
          Number(secondPayment.gas.expectedToken),
          Number(spentAmount - 1_000_000n),
          0.02 * Number(spentAmount)
        )

        // The calls revert in the block, but not in their simulation.
        const trapAddress = randomAddress()
        yield* Effect.promise(() => rpc.request(CHAIN, "anvil_setCode", [trapAddress, REVERTS_WHEN_SET]))
        const call = { to: trapAddress, value: 0n, data: "0x", summary: "Read" } as never
        const revertingOperation = yield* buildOperation(account, [call], usdc)
        assert.isNull(revertingOperation.simulation.revert)
        yield* Effect.promise(() =>
          rpc.request(CHAIN, "anvil_setStorageAt", [trapAddress, `0x${"0".repeat(64)}`, `0x${"0".repeat(63)}1`])
        )
        const heldAmount = yield* balanceOf(account.address)
        const outcome = yield* send(account, owner, revertingOperation)
        assert.isFalse(outcome.success)
        assert.deepStrictEqual(outcome.transfers, [])
        assert.strictEqual(heldAmount - (yield* balanceOf(account.address)), outcome.tokenPayment?.amount)
        assert.isTrue(outcome.tokenPayment!.amount > 0n)
      })
    )
  }

  it.effect("is not used if the allowance is too small", () =>
    Effect.gen(function* () {
      const owner = freshOwner()
      const account = yield* fundedAccount("SIMPLE_0_8", owner)
      const { paymasters } = yield* SandboxChains
      const approve = approveCall(usdc, paymasters["0.8"], 1n)
      assert.isTrue((yield* send(account, owner, yield* buildOperation(account, [approve], nativeToken))).success)
      const { operation } = yield* buildOperation(account, [], usdc)
      assert.strictEqual(prefundOf(operation), 0n)
    })
  )
})
