import type { Address } from "@countersign/core/foundation/primitives"
import { type Call, transferCall, type UserOperation } from "@countersign/core/operations/user-operations"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createWalletClient, type Hex, http, parseAbi, parseEther } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { SandboxChains } from "../../../../sandbox/index.ts"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  buildOperation,
  CHAIN,
  evmSandbox,
  evmSandboxWithout,
  freshOwner,
  nativeToken,
  randomAddress,
  signOperation,
  usdc
} from "../../../../test/evm/evmSandbox.ts"
import { accountContracts } from "../../deployments/index.ts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import { handleOpsData } from "../bundler/simulation/gasLimits.ts"
import { bytesFromHex } from "../hex.ts"
import { RpcClients } from "../RpcClients.ts"

/**
 * Tests attacks that try to make the paymaster or the operator pay. The attacking contracts are written in bytecode.
 */

const depositAbi = parseAbi(["function balanceOf(address account) view returns (uint256)"])

const depositOf = (entryPoint: Address, paymaster: Address) =>
  Effect.flatMap(RpcClients, (rpc) =>
    rpc.call(CHAIN, (client) =>
      client.readContract({
        address: entryPoint,
        abi: depositAbi,
        functionName: "balanceOf",
        args: [paymaster]
      })
    )
  )

/** Deploys a contract with this code at a unique address. */
const contractOf = Effect.fnUntraced(function* (code: Hex) {
  const rpc = yield* RpcClients
  const address = randomAddress()
  yield* Effect.promise(() => rpc.request(CHAIN, "anvil_setCode", [address, code]))
  return address
})

/**
 * Builds code that reverts on every call in which the opcode pushes a nonzero value, and otherwise accepts native
 * tokens.
 */
const refusesUnlessZero = (opcode: string): Hex => `0x${opcode}156008575f5ffd5b00`
const GASPRICE = "3a"
const ORIGIN = "32"

/** Builds code that forwards its calldata to a contract and ignores the result. */
const forwarderTo = (address: Address): Hex => `0x365f5f375f5f365f5f73${address.slice(2)}5af15000`

const assertUnsigned = ({ paymaster }: UserOperation) =>
  assert.isTrue(paymaster?.data.endsWith(stubEcdsaSignature.slice(2)), "the paymaster has signed")

const sandboxes = [
  ["over nodes that trace", evmSandbox],
  ["over nodes that do not", evmSandboxWithout(["debug_"])]
] as const

for (const [nodes, sandbox] of sandboxes) {
  layer(sandbox, { excludeTestServices: true })(`an attacker, ${nodes}`, (it) => {
    it.effect("can't use a signature of the paymaster", () =>
      Effect.gen(function* () {
        const { fund, rpcUrl } = yield* SandboxChains
        const rpc = yield* RpcClients
        const owner = freshOwner()
        const attacker = freshOwner()
        yield* fund(CHAIN, attacker.address, "native", parseEther("1"))
        const account = yield* fundedAccount("SIMPLE_0_8", owner)
        const { operation } = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], usdc)
        const { signature } = yield* signOperation(account, owner, operation)
        const { paymaster } = operation
        assert.isNotNull(paymaster)
        const balanceBefore = yield* depositOf(operation.entryPoint, paymaster.address)
        const client = createWalletClient({
          account: privateKeyToAccount(attacker.privateKey),
          transport: http(rpcUrl(CHAIN))
        })
        const hash = yield* Effect.promise(() =>
          client.sendTransaction({
            chain: null,
            to: operation.entryPoint,
            data: handleOpsData([{ operation, signature }], attacker.address),
            gas: 2_000_000n
          })
        )
        const { status } = yield* rpc.call(CHAIN, (reader) => reader.waitForTransactionReceipt({ hash }))
        assert.strictEqual(status, "reverted")
        assert.strictEqual(yield* depositOf(operation.entryPoint, paymaster.address), balanceBefore)
      })
    )

    // EntryPoint 0.8 accepts `handleOps` only from an account without code that is also `tx.origin`, so a nested call
    // reverts. A trace shows the reverted call, but events do not.
    for (const [inside, outside] of nodes === "over nodes that trace"
      ? ([
          ["0.8", "0.7"],
          ["0.7", "0.8"]
        ] as const)
      : ([["0.7", "0.8"]] as const)) {
      it.effect(`can't run operations of EntryPoint ${inside} inside an operation of ${outside}`, () =>
        Effect.gen(function* () {
          const forwarder = yield* contractOf(
            forwarderTo(inside === "0.8" ? accountContracts.entryPoint08 : accountContracts.entryPoint07)
          )
          const owner = freshOwner()
          const attackedAccount = yield* fundedAccount(inside === "0.8" ? "SIMPLE_0_8" : "SIMPLE_0_7", owner)
          // An operation whose account pays its own gas in native tokens does not use the paymaster. So the paymaster's
          // list of senders does not apply to it.
          const innerOperation = yield* buildOperation(
            attackedAccount,
            [transferCall(usdc, randomAddress(), 1n)],
            inside === "0.7" ? nativeToken : usdc
          )
          const { signature } = yield* signOperation(attackedAccount, owner, innerOperation.operation)
          const call: Call = {
            to: forwarder,
            value: 0n,
            data: bytesFromHex(handleOpsData([{ operation: innerOperation.operation, signature }], randomAddress())),
            summary: "Bring another operation"
          }
          const carrier = yield* fundedAccount(outside === "0.8" ? "SIMPLE_0_8" : "SIMPLE_0_7", freshOwner())
          const { operation, simulation } = yield* buildOperation(carrier, [call], usdc)
          assert.strictEqual(simulation.revert?.decoded, "The operation calls an EntryPoint during its execution")
          assertUnsigned(operation)
        })
      )
    }

    for (const [name, opcode] of [
      ["tx.gasprice", GASPRICE],
      ["tx.origin", ORIGIN]
    ] as const) {
      it.effect(`is detected if a recipient checks ${name}`, () =>
        Effect.gen(function* () {
          const trapContract = yield* contractOf(refusesUnlessZero(opcode))
          const rpc = yield* RpcClients
          // In a plain `eth_call` with a zero sender, `tx.origin` and `tx.gasprice` are zero, so the contract accepts
          // native tokens.
          const question = { to: trapContract, value: "0x1", from: `0x${"0".repeat(40)}` }
          assert.strictEqual(yield* Effect.promise(() => rpc.request(CHAIN, "eth_call", [question, "latest"])), "0x")
          for (const gasToken of [usdc, nativeToken]) {
            const account = yield* fundedAccount("SIMPLE_0_8", freshOwner())
            const { operation, simulation } = yield* buildOperation(
              account,
              [transferCall(nativeToken, trapContract, 1n)],
              gasToken
            )
            assert.isNotNull(simulation.revert)
            if (gasToken === usdc) assertUnsigned(operation)
          }
        })
      )
    }
  })
}
