import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { type FundedAccount, GasFunds } from "@countersign/core/operations/oversight"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Effect, Layer } from "effect"
import { type OperatorAddresses, RpcClients, suggestedFees } from "../evm/index.ts"
import { observeDeposit } from "../paymaster-contracts/index.ts"

/** Time after which an account's balance is reported as unknown. */
const DEADLINE = "5 seconds"

export interface FundedAccounts {
  readonly chainIds: () => ReadonlyArray<EvmChainId>
  /** The accounts of the built-in bundler; null if the service uses another bundler. */
  readonly operators: OperatorAddresses | null
  /** The paymaster contracts; null if there are none. */
  readonly paymasters: Readonly<Record<EntryPointVersion, Address>> | null
}

type Account = Omit<FundedAccount, "funds">

const versions = ["0.7", "0.8"] as const

const accountsOn = ({ operators, paymasters }: FundedAccounts, chainId: EvmChainId): ReadonlyArray<Account> =>
  versions.flatMap((entryPointVersion) => {
    const sharedFields = { chainId, entryPointVersion }
    const operatorAddresses = operators?.[entryPointVersion] ?? []
    return [
      ...operatorAddresses.map((address) => ({ ...sharedFields, kind: "OPERATOR" as const, address })),
      ...(paymasters === null
        ? []
        : [{ ...sharedFields, kind: "PAYMASTER" as const, address: paymasters[entryPointVersion] }])
    ]
  })

/** Reads the native balances of operator accounts, and the deposits of paymasters at their EntryPoints. */
export const layerGasFunds = (accounts: FundedAccounts) =>
  Layer.effect(
    GasFunds,
    Effect.gen(function* () {
      const rpc = yield* RpcClients

      const weiOf = ({ address, chainId, entryPointVersion: version, kind }: Account) =>
        kind === "OPERATOR"
          ? rpc.call(chainId, (client) => client.getBalance({ address }))
          : Effect.provideService(observeDeposit({ address, chainId, version }), RpcClients, rpc)

      const addFunds = (account: Account) =>
        Effect.all(
          {
            wei: weiOf(account),
            maxFeePerGas: Effect.map(rpc.call(account.chainId, suggestedFees), (fees) => fees.maxFeePerGas)
          },
          { concurrency: 2 }
        ).pipe(
          Effect.timeout(DEADLINE),
          Effect.catch(() => Effect.succeed(null)),
          Effect.map((funds): FundedAccount => ({ ...account, funds }))
        )

      return GasFunds.of({
        read: Effect.suspend(() =>
          Effect.forEach(
            accounts.chainIds().flatMap((chainId) => accountsOn(accounts, chainId)),
            addFunds,
            { concurrency: "unbounded" }
          )
        )
      })
    })
  )
