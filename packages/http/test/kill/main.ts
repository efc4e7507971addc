// npm run kill-test -- --points 10000 [--database sqlite|postgres] [--processes 3] [--clients 4] [--seed 1] [--steady] [--crossing]

import { parseArgs } from "node:util"
import { type KillReport, runKills } from "./KillRun.ts"

const { values } = parseArgs({
  options: {
    points: { type: "string", default: "100" },
    database: { type: "string", default: "sqlite" },
    processes: { type: "string" },
    // Without it, blocks are taken back and transactions forgotten.
    steady: { type: "boolean", default: false },
    // Transfers to another chain alone, on a chain that keeps its blocks.
    crossing: { type: "boolean", default: false },
    clients: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) }
  }
})

const database = values.database === "postgres" ? "postgres" : "sqlite"
const processes = Number(values.processes ?? (database === "postgres" ? 3 : 1))
if (database === "sqlite" && processes > 1) throw new Error("SQLite serves one process: use --database postgres.")

const line = ({ crossings, onChain, points, problems, promised, quotes, seconds, ...report }: KillReport): string =>
  `${points} kills in ${seconds.toFixed(0)} s (${((points / seconds) * 60).toFixed(0)} a minute): ` +
  `${report.registrations} wallets, ${quotes} quotes, ${crossings} to another chain, ${promised} executes accepted, ${report.unknown} unanswered, ` +
  `${onChain} on chain, ${report.reorganisations} reorganisations, ${problems.length} problems`

process.stdout.write(`${database}, ${processes} processes, seed ${values.seed}\n`)
const report = await runKills({
  database,
  processes,
  isSteady: values.steady || values.crossing,
  ...(values.crossing ? { mix: "CROSSING" } : {}),
  points: Number(values.points),
  clients: Number(values.clients),
  seed: Number(values.seed),
  onProgress: (progress) => process.stdout.write(`${line(progress)}\n`)
})
process.stdout.write(`${line(report)}\n`)
for (const problem of report.problems) process.stdout.write(`  ${problem}\n`)
process.exit(report.problems.length === 0 ? 0 : 1)
