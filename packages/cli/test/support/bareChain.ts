import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { anvilBinary } from "../../../adapters/sandbox/anvil/anvilBinary.ts"

/** A chain without contracts, like a new or private chain. The first account of anvil has native tokens. */
export interface BareChain {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** The key of anvil's first account, which has 10 000 native tokens on each of its chains. */
export const RICH_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

const readListeningUrl = async ({ stdout }: ChildProcess): Promise<string> => {
  let output = ""
  for await (const chunk of stdout!) {
    output += String(chunk)
    const address = /Listening on (127\.\d+\.\d+\.\d+:\d+)/u.exec(output)?.[1]
    if (address !== undefined) return `http://${address}`
  }
  throw new Error(`anvil did not start: ${output}`)
}

export const startBareChain = async (chainId: number): Promise<BareChain> => {
  const words = ["--port", "0", "--chain-id", `${chainId}`, "--disable-default-create2-deployer"]
  // The presigned transaction that deploys Safe's factory on Base has a gas price of 0.2 gwei, so the base fee must be
  // lower.
  const feeWords = ["--block-base-fee-per-gas", "100000000"]
  const anvil = spawn(anvilBinary(), [...words, ...feeWords], { stdio: ["ignore", "pipe", "ignore"] })
  const url = await readListeningUrl(anvil)
  return {
    url,
    stop: async () => {
      anvil.kill("SIGTERM")
      await once(anvil, "exit")
    }
  }
}
