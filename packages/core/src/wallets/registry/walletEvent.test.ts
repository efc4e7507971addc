import { assert, describe, it } from "@effect/vitest"
import { aBitcoinWallet } from "./Wallet.fixture.ts"
import { walletEvents, walletRegistered } from "./walletEvent.ts"

describe("walletRegistered", () => {
  const wallet = aBitcoinWallet()
  const { snapshot } = walletRegistered(wallet)

  it("contains the wallet", () => {
    assert.deepStrictEqual(walletEvents.resourceOf(snapshot), { wallet, chainId: null })
  })

  it("can be parsed from an earlier version, in which Bitcoin wallets had no key", () => {
    const { chainId, wallet: storedWallet } = JSON.parse(snapshot)
    const { key: _, ...earlierWallet } = storedWallet
    const decodedEvent = walletEvents.resourceOf(JSON.stringify({ chainId, wallet: earlierWallet }))
    assert.deepStrictEqual(decodedEvent, { wallet, chainId: null })
  })
})
