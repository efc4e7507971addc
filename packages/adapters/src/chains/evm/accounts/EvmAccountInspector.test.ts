import {
  accountInspectorContract,
  InspectedAccounts
} from "@countersign/core/contracts/operations/user-operations/AccountInspector"
import { Bundler, transferCall } from "@countersign/core/operations/user-operations"
import type { Account, AccountKind } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { numberToHex } from "viem"
import { fundedAccount } from "../../../../test/evm/bundlerScenarios.ts"
import {
  accountKinds,
  accountOf,
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
import { implementationOf } from "./accountImplementations.ts"
import * as EvmAccountInspector from "./EvmAccountInspector.ts"

const deployedAccount = Effect.fnUntraced(function* (kind: AccountKind) {
  const owner = freshOwner()
  const account = yield* fundedAccount(kind, owner)
  const { operation, hash } = yield* buildOperation(account, [transferCall(usdc, randomAddress(), 1n)], nativeToken)
  const { authorization, signature } = yield* signOperation(account, owner, operation)
  yield* (yield* Bundler).submit(operation, signature, authorization)
  yield* outcomeOf(operation, hash)
  return account
})

/** Returns the account with one changed storage word, or with changed code of its delegate. */
const changedAccounts = Effect.fnUntraced(function* (kind: AccountKind) {
  const rpc = yield* RpcClients
  const change = (method: string, ...params: ReadonlyArray<unknown>) =>
    Effect.promise(() => rpc.request(CHAIN, method, params))
  const account = yield* deployedAccount(kind)
  if (account.eip7702) {
    yield* change("anvil_setCode", account.address, `0xef0100${randomAddress().slice(2)}`)
    return [{ account, message: /no longer delegates/u }]
  }
  const changes: Array<{ readonly account: Account; readonly message: RegExp }> = []
  for (const { name, slot } of implementationOf(kind).storage(account)) {
    const otherAccount = yield* deployedAccount(kind)
    yield* change("anvil_setStorageAt", otherAccount.address, slot, numberToHex(7, { size: 32 }))
    changes.push({ account: otherAccount, message: new RegExp(`its ${name}`, "u") })
  }
  return changes
})

const accounts = Layer.effect(
  InspectedAccounts,
  Effect.gen(function* () {
    const context = yield* Effect.context<Layer.Success<typeof evmSandbox>>()
    const withSandbox = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof evmSandbox>>) =>
      Effect.orDie(Effect.provideContext(effect, context))
    return InspectedAccounts.of({
      chainId: CHAIN,
      undeployedAccounts: Effect.sync(() => accountKinds.map((kind) => accountOf(kind, freshOwner()))),
      deployedAccounts: withSandbox(Effect.forEach(accountKinds, deployedAccount)),
      changedAccounts: withSandbox(Effect.map(Effect.forEach(accountKinds, changedAccounts), (each) => each.flat()))
    })
  })
)

accountInspectorContract(
  "an EVM chain",
  Layer.merge(EvmAccountInspector.layer, accounts).pipe(Layer.provideMerge(evmSandbox))
)
