// npm run kill-test -- --points 10000 [--database sqlite|postgres|pgbouncer] [--processes 3] [--clients 4] [--seed 1] [--steady] [--crossing|--bitcoin|--fiat]

import { parseArgs } from "node:util"
import { parseDatabaseName } from "../fleet/onSandbox.ts"
import { type PaymentKillReport, runPaymentKills } from "./bitcoin/paymentKills.ts"
import { type FiatKillReport, runFiatKills } from "./fiat/FiatKillRun.ts"
import { type KillReport, runKills } from "./KillRun.ts"

const { values } = parseArgs({
  options: {
    points: { type: "string", default: "100" },
    database: { type: "string", default: "sqlite" },
    processes: { type: "string" },
    // By default the chain has reorgs and drops transactions. This flag disables both.
    steady: { type: "boolean", default: false },
    // Runs only transfers to another chain, on a chain without reorgs.
    crossing: { type: "boolean", default: false },
    // Runs Bitcoin payments on a chain with reorgs, and swaps from Bitcoin.
    bitcoin: { type: "boolean", default: false },
    // Runs only fiat deposits and withdrawals, which are compared to the cent.
    fiat: { type: "boolean", default: false },
    clients: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) }
  }
})

const database = parseDatabaseName(values.database)
const processes = Number(values.processes ?? (database === "sqlite" ? 1 : 3))
if (database === "sqlite" && processes > 1) throw new Error("SQLite serves one process: use --database postgres.")

const reportLine = ({
  crossings,
  onChain,
  points,
  problems,
  promised,
  quotes,
  seconds,
  ...report
}: KillReport): string =>
  `${points} kills in ${seconds.toFixed(0)} s (${((points / seconds) * 60).toFixed(0)} a minute): ` +
  `${report.registrations} wallets, ${quotes} quotes, ${crossings} to another chain, ${promised} executes accepted, ${report.unknown} unanswered, ` +
  `${onChain} on chain, ${report.reorgs} reorgs, ${problems.length} problems`

const formatCents = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`

const formatFiatReport = ({ orders, points, problems, seconds, totals }: FiatKillReport): string =>
  [
    `${points} kills in ${seconds.toFixed(0)} s`,
    [...orders].map(([name, count]) => `${count} ${name}`).join(", "),
    ...[...totals].map(([code, { given, got }]) => `${code}: ${formatCents(got)} got, ${formatCents(given)} given`),
    `${problems.length} problems`
  ].join("; ")

const formatPaymentReport = ({ points, problems, seconds, ...counts }: PaymentKillReport): string =>
  `${points} kills in ${seconds.toFixed(0)} s: ${counts.quotes} quotes, ${counts.promised} payments and swaps accepted, ` +
  `${counts.unknown} unanswered, swaps ${[...counts.swaps].map(([name, count]) => `${count} ${name}`).join(", ")}, ` +
  `${counts.onChain} payments on chain, ${counts.cancelledCount} replaced, ` +
  `${counts.reorgs} reorgs, ${problems.length} problems`

process.stdout.write(`${database}, ${processes} processes, seed ${values.seed}\n`)
const options = {
  database,
  processes,
  isSteady: values.steady || values.crossing,
  points: Number(values.points),
  clients: Number(values.clients),
  seed: Number(values.seed)
} as const

const runSelected = async () => {
  if (values.fiat) {
    const report = await runFiatKills({ ...options, isSteady: true })
    return { text: formatFiatReport(report), problems: report.problems }
  }
  if (values.bitcoin) {
    const report = await runPaymentKills(options)
    return { text: formatPaymentReport(report), problems: report.problems }
  }
  const report = await runKills({
    ...options,
    ...(values.crossing ? { mix: "CROSSING" } : {}),
    onProgress: (progress) => process.stdout.write(`${reportLine(progress)}\n`)
  })
  return { text: reportLine(report), problems: report.problems }
}

const { problems, text } = await runSelected()
process.stdout.write(`${text}\n`)
for (const problem of problems) process.stdout.write(`  ${problem}\n`)
process.exit(problems.length === 0 ? 0 : 1)
