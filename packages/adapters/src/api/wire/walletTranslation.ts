import type { KeyDerivation } from "@countersign/core/bitcoin/chain"
import { evmChainIds, type ServedChains } from "@countersign/core/foundation/chains"
import { BadRequest, type RequestProblem, requireNoProblem } from "@countersign/core/foundation/errors"
import type { Address, HexBytes, Metadata } from "@countersign/core/foundation/primitives"
import type { AccountRequest, BitcoinRegistration, WalletView } from "@countersign/core/wallets/registry"
import { DateTime, Effect } from "effect"
import { type BaseUrl, chainBody } from "./links.ts"

const isoOrNull = (at: DateTime.Utc | null | undefined) => (at == null ? null : DateTime.formatIso(at))

/**
 * Builds the account fields of a wallet. For a Bitcoin wallet, the fields that only a smart wallet has are null, false
 * or empty.
 */
const accountBody = (base: BaseUrl, servedChains: ServedChains, view: WalletView) => {
  if (view.type === "BITCOIN") {
    return {
      walletAddress: view.address,
      externallyOwnedAccount: null,
      factory: null,
      implementation: null,
      eip7702: false,
      deployed: [],
      salt: null,
      ownership: view.ownership,
      publicKey: view.key?.publicKey ?? null,
      derivation: view.key?.derivation ?? null
    }
  }
  const { account, deployedOn } = view
  const servedIds = servedChains.ids()
  // On a chain that is no longer served, the service can't check whether the wallet is deployed. So the list contains
  // this chain only if a deployment is recorded.
  const listedChainIds = evmChainIds.filter((id) => servedIds.includes(id) || deployedOn.includes(id))
  return {
    walletAddress: account.address,
    externallyOwnedAccount: account.owner,
    factory: account.factory,
    implementation: account.implementation,
    eip7702: account.eip7702,
    deployed: listedChainIds.map((id) => ({ chain: chainBody(base, id), deployed: deployedOn.includes(id) })),
    salt: account.salt
  }
}

export const walletBody = (base: BaseUrl, servedChains: ServedChains, view: WalletView) => ({
  metadata: view.registration?.metadata ?? {},
  ...accountBody(base, servedChains, view),
  registeredAt: isoOrNull(view.registration?.registeredAt),
  lastTransactionAt: isoOrNull(view.registration?.lastTransactionAt)
})

export const accountRequestOf = (query: {
  readonly externallyOwnedAccount: Address
  readonly factory: Address
  readonly salt?: number
  readonly eip7702: boolean
}): Effect.Effect<AccountRequest, BadRequest> =>
  query.eip7702 && query.salt !== undefined
    ? BadRequest.of(
        "salt",
        "salt_with_eip7702",
        "An EIP-7702 wallet is the owner's own address and has no salt. Omit salt, or omit eip7702."
      )
    : Effect.succeed({
        owner: query.externallyOwnedAccount,
        factory: query.factory,
        salt: query.salt ?? 0,
        eip7702: query.eip7702
      })

interface RegisterRequest {
  readonly externallyOwnedAccount?: Address
  readonly factory?: Address
  readonly salt?: number
  readonly eip7702: boolean
  readonly address?: string
  readonly proof?: { readonly message: string; readonly signature: string }
  readonly publicKey?: HexBytes
  readonly derivation?: KeyDerivation
  readonly metadata: Metadata
}

const missingField = (path: string): RequestProblem => ({ path, code: "missing", message: "This field is required." })

const notOnBitcoin = (path: string): RequestProblem => ({
  path,
  code: "not_of_bitcoin",
  message: "A Bitcoin wallet has an address and a proof, and no account. Omit this field, or omit address and proof."
})

/**
 * Returns the smart account to register, or the Bitcoin wallet if the request has a field that only Bitcoin wallets
 * have.
 */
export const registrationOf = Effect.fnUntraced(function* (body: RegisterRequest) {
  const { address, derivation, eip7702, externallyOwnedAccount, factory, metadata, proof, publicKey, salt } = body
  if (address !== undefined || proof !== undefined || publicKey !== undefined || derivation !== undefined) {
    yield* requireNoProblem([
      ...(["externallyOwnedAccount", "factory", "salt"] as const).map((path) =>
        body[path] === undefined ? null : notOnBitcoin(path)
      ),
      eip7702 ? notOnBitcoin("eip7702") : null
    ])
    if (address === undefined) return yield* new BadRequest({ problems: [missingField("address")] })
    const registration: BitcoinRegistration = {
      address,
      proof: proof ?? null,
      publicKey: publicKey ?? null,
      derivation: derivation ?? null,
      metadata
    }
    return { type: "BITCOIN" as const, registration }
  }
  yield* requireNoProblem([
    externallyOwnedAccount === undefined ? missingField("externallyOwnedAccount") : null,
    factory === undefined ? missingField("factory") : null
  ])
  const request = yield* accountRequestOf({
    externallyOwnedAccount: externallyOwnedAccount!,
    factory: factory!,
    eip7702,
    ...(salt === undefined ? {} : { salt })
  })
  return { type: "SMART" as const, request, metadata }
})
