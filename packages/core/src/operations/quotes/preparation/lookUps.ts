import { Effect } from "effect"
import { requireServed, ServedChains } from "../../../foundation/chains/index.ts"
import type { FeeCollectors } from "../../../foundation/fees/index.ts"
import type { WalletAddress } from "../../../foundation/primitives/index.ts"
import { requireListed, type Token, TokenCatalog, type TokenRef } from "../../../foundation/tokens/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { type SmartWallet, type Wallet, WalletNotRegistered, Wallets } from "../../../wallets/registry/index.ts"
import { QuoteSettings } from "./QuoteSettings.ts"

/** A request with its wallet, its tokens keyed by field, and its fee recipients. */
export interface ResolvedRequest<Request, Field extends string, W extends Wallet = SmartWallet> {
  readonly project: Project
  readonly wallet: W
  readonly request: Request
  readonly tokens: Readonly<Record<Field, Token>>
  readonly collectors: FeeCollectors
}

/** Looks up the wallets and the listed tokens of requests. */
export const lookUps = Effect.gen(function* () {
  const wallets = yield* Wallets
  const catalog = yield* TokenCatalog
  const { operatorSharePercent, operatorTreasury } = yield* QuoteSettings

  const requireServedChains = requireServed(yield* ServedChains)

  const requireWallet = (project: Project, address: WalletAddress) => wallets.require(project.id, address)

  return {
    served: requireServedChains,
    wallet: requireWallet,
    smartWallet: (project: Project, address: WalletAddress) =>
      Effect.flatMap(requireWallet(project, address), (registeredWallet) =>
        registeredWallet.type === "SMART"
          ? Effect.succeed(registeredWallet)
          : Effect.fail(new WalletNotRegistered({ walletAddress: address }))
      ),
    order: <Request, Field extends string, W extends Wallet>(
      project: Project,
      orderWallet: W,
      request: Request,
      fields: Readonly<Record<Field, TokenRef>>
    ) =>
      Effect.map(
        requireListed(catalog, fields),
        (tokens): ResolvedRequest<Request, Field, W> => ({
          project,
          wallet: orderWallet,
          request,
          tokens,
          collectors: { treasury: project.treasury, operatorTreasury, operatorSharePercent }
        })
      )
  }
})
