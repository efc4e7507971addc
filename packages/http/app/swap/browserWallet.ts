import type { Hex, LocalSigner } from "../../src/client/index.ts"

/** What a wallet gives a page (EIP-1193). */
interface Provider {
  request(call: { readonly method: string; readonly params?: ReadonlyArray<unknown> }): Promise<unknown>
}

/** The browser's wallet; undefined where there is none. */
export const browserWallet = (): Provider | undefined => (globalThis as { readonly ethereum?: Provider }).ethereum

type TypedData = Parameters<LocalSigner["signTypedData"]>[0]

const domainFields = [
  ["name", "string"],
  ["version", "string"],
  ["chainId", "uint256"],
  ["verifyingContract", "address"]
] as const

/** Wallets ask for the type of the domain beside the others (EIP-712). */
const withDomainType = ({ domain, types, ...rest }: TypedData) => ({
  domain,
  types: {
    EIP712Domain: domainFields.filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({ name, type })),
    ...types
  },
  ...rest
})

/** Wallets sign typed data for the chain that they are on. */
const switchTo = async (wallet: Provider, chainId: number): Promise<void> => {
  const wanted = `0x${chainId.toString(16)}`
  if ((await wallet.request({ method: "eth_chainId" })) !== wanted)
    await wallet.request({ method: "wallet_switchEthereumChain", params: [{ chainId: wanted }] })
}

/** Asks the browser's wallet for an account, and signs with it. The wallet shows its owner what is signed. */
export const signerOf = async (wallet: Provider): Promise<LocalSigner> => {
  const [address] = (await wallet.request({ method: "eth_requestAccounts" })) as ReadonlyArray<string>
  if (address === undefined) throw new TypeError("The browser's wallet gave no account.")
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
