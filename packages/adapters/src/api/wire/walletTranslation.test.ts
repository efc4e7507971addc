import { aBitcoinWallet } from "@countersign/core/contracts/wallets/registry/WalletStore"
import { ServedChains } from "@countersign/core/foundation/chains"
import { walletView } from "@countersign/core/wallets/registry"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { WalletBody } from "./wallets.ts"
import { walletBody } from "./walletTranslation.ts"

it("A Bitcoin wallet has no fields of a smart account in its body", () => {
  const wallet = aBitcoinWallet({ metadata: { name: "cold" } })
  const body = walletBody("", ServedChains.defaultValue(), walletView(wallet))
  assert.deepStrictEqual(Schema.encodeSync(WalletBody)(body), {
    metadata: { name: "cold" },
    walletAddress: wallet.address,
    externallyOwnedAccount: null,
    factory: null,
    implementation: null,
    eip7702: false,
    deployed: [],
    salt: null,
    ownership: "PROVEN",
    publicKey: null,
    derivation: null,
    registeredAt: "2026-05-28T20:26:40.123Z",
    lastTransactionAt: null
  })
})
