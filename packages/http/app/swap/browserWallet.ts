import type { Hex, LocalSigner } from "../../src/client/index.ts"

/** The API of a browser wallet (EIP-1193). */
interface Provider {
  request(call: { readonly method: string; readonly params?: ReadonlyArray<unknown> }): Promise<unknown>
}

/** The browser wallet; undefined if there is none. */
export const browserWallet = (): Provider | undefined => (globalThis as { readonly ethereum?: Provider }).ethereum

type TypedData = Parameters<LocalSigner["signTypedData"]>[0]

const domainFields = [
  ["name", "string"],
  ["version", "string"],
  ["chainId", "uint256"],
  ["verifyingContract", "address"]
] as const

/** Wallets require the domain type among the types (EIP-712). */
const withDomainType = ({ domain, types, ...rest }: TypedData) => ({
  domain,
  types: {
    EIP712Domain: domainFields.filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({ name, type })),
    ...types
  },
  ...rest
})

/** Wallets only sign typed data for their current chain. */
const switchTo = async (wallet: Provider, chainId: number): Promise<void> => {
  const chainIdHex = `0x${chainId.toString(16)}`
  if ((await wallet.request({ method: "eth_chainId" })) !== chainIdHex)
    await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: chainIdHex }] })
}

/** Requests an account of the browser wallet, and signs with it. The wallet shows the signed data to its owner. */
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
