/** How the reference names the groups of endpoints, in its order. A group that is not named here stands under its own id. */
export const groups: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  swap: { title: "Swaps", description: "Quotes of swaps" },
  transfer: { title: "Transfers", description: "Transfers of tokens and coins" },
  batch: { title: "Batches", description: "Transfers and swaps in one operation" },
  liquidity: { title: "Liquidity", description: "Positions in pools of Uniswap V3" },
  lending: { title: "Lending", description: "Loans and what secures them, with Aave V3 and Morpho Blue" },
  executions: { title: "Executions", description: "Executing what the owner signed, whatever was quoted" },
  userOperations: {
    title: "User operations",
    description: "The same by the hash of a user operation, and looking operations up"
  },
  wallets: { title: "Wallets", description: "Smart wallets of the project and their history" },
  catalog: { title: "Catalogues", description: "Supported chains, tokens and providers of swaps" },
  pools: { title: "Pools", description: "Pools of Uniswap V3, and what they earn" },
  webhooks: { title: "Webhooks", description: "Being told of events" }
}
