import { readdirSync, readFileSync, statSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxBitcoin } from "../sandbox/bitcoin/SandboxBitcoin.ts"
import { SandboxClock } from "../sandbox/network/SandboxClock.ts"

/**
 * Measures the sandbox's Bitcoin chain: the time until its process responds, in a new folder and in a folder with a
 * chain, its memory use, and the size of its files. Run it with `npm run bench:bitcoin-node -w packages/adapters`, on
 * Linux. A number after `--` sets the number of starts. The default is 5.
 */

const STARTS = Number(process.argv[2] ?? 5)
const BLOCKS = 100
const NEVER_MS = 2_000_000_000

/** Returns the memory use of the latest forked child process, in MB. */
const memoryOf = (): number => {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8").trim().split(" ")
  const status = readFileSync(`/proc/${children.at(-1)}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1_024
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const median = (values: ReadonlyArray<number>): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

const startNode = async (home: string) => {
  const bitcoin = new SandboxBitcoin(home, new SandboxClock(home), NEVER_MS)
  const startMs = performance.now()
  const { height } = await bitcoin.control({ status: true })
  return { bitcoin, height, milliseconds: performance.now() - startMs, megabytes: memoryOf() }
}

const line = (name: string, runs: ReadonlyArray<Awaited<ReturnType<typeof startNode>>>) =>
  `${name}: responds after ${median(runs.map(({ milliseconds }) => milliseconds)).toFixed(0)} ms ` +
  `(${runs.map(({ milliseconds }) => milliseconds.toFixed(0)).join(", ")}) at block ${runs[0]!.height}, ` +
  `${median(runs.map(({ megabytes }) => megabytes)).toFixed(0)} MB\n`

const firstStarts: Array<Awaited<ReturnType<typeof startNode>>> = []
const restarts: Array<Awaited<ReturnType<typeof startNode>>> = []
for (let run = 0; run < STARTS; run++) {
  const home = await mkdtemp(join(tmpdir(), "countersign-bitcoin-node-"))
  const first = await startNode(home)
  firstStarts.push(first)
  const size = sizeOf(join(home, "bitcoin"))
  await first.bitcoin.control({ mine: BLOCKS })
  const memoryAfter = memoryOf()
  await first.bitcoin.close()
  const secondResult = await startNode(home)
  restarts.push(secondResult)
  await secondResult.bitcoin.close()
  if (run === 0) {
    const sizeAfter = sizeOf(join(home, "bitcoin"))
    process.stdout.write(
      `files: ${(size / 1_024).toFixed(0)} kB, and ${((sizeAfter - size) / 1_024).toFixed(0)} kB after ${BLOCKS} more blocks; then ${memoryAfter.toFixed(0)} MB of memory\n`
    )
  }
  await rm(home, { recursive: true, force: true })
}
process.stdout.write(line("new home", firstStarts) + line("known home", restarts))
