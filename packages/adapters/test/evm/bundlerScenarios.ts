import {
  BundlerScenarios,
  type SubmittableOperation
} from "@countersign/core/contracts/operations/user-operations/Bundler"
import {
  type AccountOperations,
  type Call,
  type SignableOperation,
  transferCall,
  type UserOperationBuilder
} from "@countersign/core/operations/user-operations"
import type { Account, AccountKind } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import { SandboxChains, type SandboxKey } from "../../sandbox/index.ts"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { bytesFromHex } from "../../src/chains/evm/hex.ts"
import { RpcClients } from "../../src/chains/evm/RpcClients.ts"
import {
  accountOf,
  buildOperation,
  CHAIN,
  freshOwner,
  nativeToken,
  randomAddress,
  signOperation,
  usdc
} from "./evmSandbox.ts"

const multicallAbi = parseAbi(["function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)"])

/** A call of SwapRouter02 with a deadline in 1970. It reverts with "Transaction too old". */
export const expiredRouterCall: Call = {
  to: deploymentOf(CHAIN).uniswapV3.swapRouter02,
  value: 0n,
  data: bytesFromHex(encodeFunctionData({ abi: multicallAbi, functionName: "multicall", args: [1n, []] })),
  summary: "Swap before 1970"
}

/** Returns an account with 100 USDC and 0.1 native tokens. */
export const fundedAccount = Effect.fnUntraced(function* (kind: AccountKind, owner: SandboxKey) {
  const sandbox = yield* SandboxChains
  const account = accountOf(kind, owner)
  yield* sandbox.fund(CHAIN, account.address, usdc.address, 100_000_000n)
  yield* sandbox.fund(CHAIN, account.address, "native", 10n ** 17n)
  return account
})

/** Returns the scenarios of the bundler's contract tests with accounts of one type, on the sandbox's chain. */
export const bundlerScenarios = (kind: AccountKind) =>
  Layer.effect(
    BundlerScenarios,
    Effect.gen(function* () {
      const rpc = yield* RpcClients
      const services = yield* Effect.context<SandboxChains | UserOperationBuilder | AccountOperations>()
      const scenario = <A, E>(
        scenarioEffect: Effect.Effect<A, E, SandboxChains | UserOperationBuilder | AccountOperations>
      ) => Effect.orDie(Effect.provideContext(scenarioEffect, services))
      const signOperationAs = Effect.fnUntraced(function* (
        account: Account,
        signer: SandboxKey,
        { hash, operation }: SignableOperation,
        fromBlock: bigint
      ) {
        const { signature, authorization } = yield* signOperation(account, signer, operation)
        const submittableOperation: SubmittableOperation = {
          operation,
          hash,
          signature,
          authorizationSignature: authorization,
          fromBlock
        }
        return submittableOperation
      })
      const prepareSubmittable = Effect.fnUntraced(function* (
        account: Account,
        signer: SandboxKey,
        calls: ReadonlyArray<Call>,
        gasToken = nativeToken
      ) {
        const fromBlock = yield* rpc.call(CHAIN, (client) => client.getBlockNumber())
        return yield* signOperationAs(account, signer, yield* buildOperation(account, calls, gasToken), fromBlock)
      })
      return BundlerScenarios.of({
        transferOperation: scenario(
          Effect.gen(function* () {
            const owner = freshOwner()
            const account = yield* fundedAccount(kind, owner)
            const to = randomAddress()
            const submittableOperation = yield* prepareSubmittable(
              account,
              owner,
              [transferCall(usdc, to, 1_000_000n)],
              usdc
            )
            return {
              ...submittableOperation,
              expected: { token: usdc.address, from: account.address, to, amount: 1_000_000n }
            }
          })
        ),
        revertingOperation: scenario(
          Effect.gen(function* () {
            const owner = freshOwner()
            const account = yield* fundedAccount(kind, owner)
            return {
              ...(yield* prepareSubmittable(account, owner, [expiredRouterCall])),
              message: /Transaction too old/u
            }
          })
        ),
        wronglySignedOperation: scenario(
          Effect.gen(function* () {
            const account = yield* fundedAccount(kind, freshOwner())
            return yield* prepareSubmittable(account, freshOwner(), [transferCall(usdc, randomAddress(), 1n)])
          })
        ),
        orderedOperations: scenario(
          Effect.gen(function* () {
            const owner = freshOwner()
            const account = yield* fundedAccount(kind, owner)
            const to = randomAddress()
            const fromBlock = yield* rpc.call(CHAIN, (client) => client.getBlockNumber())
            const builtOperation = yield* buildOperation(account, [transferCall(usdc, to, 1_000_000n)], usdc)
            const allowanceOperation = yield* Effect.fromNullishOr(builtOperation.first)
            return {
              first: yield* signOperationAs(account, owner, allowanceOperation, fromBlock),
              second: {
                ...(yield* signOperationAs(account, owner, builtOperation, fromBlock)),
                expected: { token: usdc.address, from: account.address, to, amount: 1_000_000n }
              }
            }
          })
        )
      })
    })
  )
