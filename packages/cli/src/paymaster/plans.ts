import { deploymentOf, type ListedToken } from "@countersign/adapters/chains/deployments"
import { ownedPaymasterDeployment, type PaymasterPlan } from "@countersign/adapters/chains/paymaster-contracts"
import { SettingInvalid } from "@countersign/adapters/service/settings"
import {
  type ChainId,
  type EvmChainId,
  isEvmChainId,
  requireServed,
  ServedChains
} from "@countersign/core/foundation/chains"
import type { BadRequest } from "@countersign/core/foundation/errors"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Effect } from "effect"
import { CommandRefused } from "../environment/errors.ts"
import type { PaymasterSetUp } from "../environment/paymasterSetUp.ts"

export const versions = ["0.7", "0.8"] as const

/** Symbols of the default gas tokens. */
const USUAL_TOKENS: ReadonlySet<string> = new Set(["USDC", "USDT"])

/** Finds the selected tokens by symbol, otherwise the default tokens of the chain. */
const tokensOf = Effect.fnUntraced(function* (chainId: EvmChainId, symbols: ReadonlyArray<string>) {
  const { tokens } = deploymentOf(chainId)
  if (symbols.length === 0) return tokens.filter(({ symbol }) => USUAL_TOKENS.has(symbol))
  return yield* Effect.forEach(symbols, (wantedSymbol): Effect.Effect<ListedToken, CommandRefused> => {
    const listedToken = tokens.find(({ symbol }) => symbol.toLowerCase() === wantedSymbol.toLowerCase())
    return listedToken === undefined
      ? Effect.fail(
          new CommandRefused({
            reason: `There is no token ${wantedSymbol} on chain ${chainId}. \`countersign token list\` shows the tokens.`
          })
        )
      : Effect.succeed(listedToken)
  })
})

const settingOf = { "0.7": "PAYMASTER_ADDRESS_0_7", "0.8": "PAYMASTER_ADDRESS_0_8" } as const

/** Returns the configured address, otherwise the address that a deployment by the owner would get. */
const addressOf = ({ addresses, owner }: PaymasterSetUp, version: EntryPointVersion) => {
  const address = addresses[version] ?? (owner === null ? null : ownedPaymasterDeployment(version, owner).address)
  return address === null
    ? Effect.fail(
        new SettingInvalid({ name: settingOf[version], expected: "set, and neither is PAYMASTER_OWNER_PRIVATE_KEY" })
      )
    : Effect.succeed(address)
}

export const planOf = Effect.fnUntraced(function* (
  setUp: PaymasterSetUp,
  chainId: EvmChainId,
  version: EntryPointVersion,
  symbols: ReadonlyArray<string>
) {
  const { operators, owner, signer, treasury } = setUp
  const plan: PaymasterPlan = {
    chainId,
    version,
    address: yield* addressOf(setUp, version),
    owner,
    signer,
    treasury,
    operators: operators[version],
    tokens: yield* tokensOf(chainId, symbols)
  }
  return plan
})

/** Fails for Bitcoin, and for a chain that the service does not serve. */
export const evmChain = Effect.fnUntraced(function* (
  { servedChains = ServedChains.defaultValue() }: Pick<PaymasterSetUp, "servedChains">,
  chain: ChainId
): Effect.fn.Return<EvmChainId, BadRequest | CommandRefused> {
  if (!isEvmChainId(chain)) return yield* new CommandRefused({ reason: "Bitcoin has no contracts." })
  yield* requireServed(servedChains)({ "--chain": chain })
  return chain
})
