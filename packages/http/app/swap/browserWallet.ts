import type { Hex, LocalSigner } from "../../src/client/index.ts"

/** The API of browser wallets (EIP-1193). */
interface Provider {
  request(call: { readonly method: string; readonly params?: ReadonlyArray<unknown> }): Promise<unknown>
}

/** Returns the browser wallet; undefined if there is none. */
export const browserWallet = (): Provider | undefined => (globalThis as { readonly ethereum?: Provider }).ethereum

type TypedData = Parameters<LocalSigner["signTypedData"]>[0]

const domainFields = [
  ["name", "string"],
  ["version", "string"],
  ["chainId", "uint256"],
  ["verifyingContract", "address"]
] as const

/** Adds the domain type to the types of typed data, because wallets require it (EIP-712). */
const withDomainType = ({ domain, types, ...rest }: TypedData) => ({
  domain,
  types: {
    EIP712Domain: domainFields.filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({ name, type })),
    ...types
  },
  ...rest
})

/** Switches the wallet to a chain, because wallets sign typed data only for their current chain. */
const switchTo = async (wallet: Provider, chainId: number): Promise<void> => {
  const chainIdHex = `0x${chainId.toString(16)}`
  if ((await wallet.request({ method: "eth_chainId" })) !== chainIdHex)
    await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: chainIdHex }] })
}

/**
 * Requests an account of the browser wallet, and returns a signer for it. The wallet shows its owner what is signed.
 */
export const signerOf = async (wallet: Provider): Promise<LocalSigner> => {
  const [address] = (await wallet.request({ method: "eth_requestAccounts" })) as ReadonlyArray<string>
  if (address === undefined) throw new TypeError("The browser wallet returned no account.")
  return {
    address,
    signMessage: ({ message }) =>
      wallet.request({ method: "personal_sign", params: [message.raw, address] }) as Promise<Hex>,
    signTypedData: async (typedData) => {
      await switchTo(wallet, typedData.domain.chainId)
      const text = JSON.stringify(withDomainType(typedData))
      return wallet.request({ method: "eth_signTypedData_v4", params: [address, text] }) as Promise<Hex>
    }
  }
}
