import type { SandboxFile } from "@countersign/adapters/storage/home"

/**
 * Formats the first screen for a new user: addresses, project, wallets, and next commands. It fits in a terminal of 24
 * lines by 100 columns.
 */
export const welcome = (file: SandboxFile, kinds: ReadonlyArray<string>, home: string, seconds: string): string => {
  const [wallet] = file.wallets
  const bitcoinWallets = file.bitcoin?.wallets ?? []
  const width = Math.max(...[...kinds, ...bitcoinWallets.map(({ kind }) => kind)].map((kind) => kind.length))
  return [
    `Countersign sandbox, ready in ${seconds} s. Ctrl-C stops it. The next start continues with the same data.`,
    "",
    `  API      ${file.baseUrl}   reference: /docs   page: /app   console: /admin`,
    `  API key  ${file.apiKey}`,
    `  Files    ${home}   (sandbox.json is for scripts)`,
    "",
    "  Wallets with 10 native tokens and about $10,000 of each token, on Ethereum and Base:",
    ...file.wallets.map(({ walletAddress }, i) => `    ${(kinds[i] ?? "").padEnd(width)}  ${walletAddress}`),
    "  Wallets with 1.5 BTC on a regtest chain. Their keys are public: send no real bitcoin to them.",
    ...bitcoinWallets.map(({ kind, walletAddress }) => `    ${kind.padEnd(width)}  ${walletAddress}`),
    "",
    `  curl -s -H 'x-api-key: ${file.apiKey}' \\`,
    `    ${file.baseUrl}/api/v1/wallets/${wallet?.walletAddress}/portfolio`,
    "",
    "  npm run demo                                 a complete swap, step by step",
    "  npx -p @countersign/cli countersign --help   every command",
    "  npm start -- --fresh                         a start without the data of earlier runs"
  ].join("\n")
}
