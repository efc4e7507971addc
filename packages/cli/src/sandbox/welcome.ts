import type { SandboxFile } from "@countersign/adapters/storage/home"

const USDC = "USDC"
const WETH = "WETH"

/** The first screen for a new user: addresses, project, wallets, and the next commands. */
export const welcome = (file: SandboxFile, kinds: ReadonlyArray<string>, home: string, seconds: string): string => {
  const [wallet] = file.wallets
  const tokens = file.tokens["1"] ?? {}
  const body = JSON.stringify({
    walletAddress: wallet?.walletAddress,
    toAddress: wallet?.walletAddress,
    chainIdIn: 1,
    chainIdOut: 1,
    tokenIn: tokens[USDC],
    tokenOut: tokens[WETH],
    amountIn: "100",
    payGasFeeToken: tokens[USDC],
    gasFeePaymentMethod: "ADD_TO_AMOUNT"
  })
  const width = Math.max(...kinds.map((kind) => kind.length))
  return [
    "",
    `Countersign sandbox, ready in ${seconds} s.`,
    "",
    `  API        ${file.baseUrl}`,
    `  Reference  ${file.baseUrl}/docs`,
    `  To look at ${file.baseUrl}/app`,
    `  API key    ${file.apiKey}`,
    `  For scripts: ${home}/sandbox.json`,
    "",
    "  Wallets, funded on Ethereum and Base (10 coins and about $10,000 of each token):",
    ...file.wallets.map((wallet, i) => `    ${(kinds[i] ?? "").padEnd(width)}  ${wallet.walletAddress}`),
    "",
    "  Bitcoin wallets of a regtest chain, 1.5 BTC each. Their keys are public: pay no real coins to them.",
    ...(file.bitcoin?.wallets ?? []).map(({ kind, walletAddress }) => `    ${kind.padEnd(width)}  ${walletAddress}`),
    "",
    "  Try a quote of 100 USDC for WETH:",
    "",
    `    curl -s ${file.baseUrl}/api/v1/crypto/swap -H 'x-api-key: ${file.apiKey}' \\`,
    `      -H 'content-type: application/json' -d '${body}'`,
    "",
    "  Go on: `npm run demo` walks through a whole swap; `npx -p @countersign/cli countersign --help` lists the commands.",
    "  Ctrl-C stops everything; the next start finds its data again (`npm start -- --fresh` starts over).",
    ""
  ].join("\n")
}
