import type { Client, OperatorBalance } from "../../src/client/index.ts"
import { Failure } from "../Failure.tsx"
import { keyId } from "../session.ts"
import { Table } from "../Table.tsx"
import { useLoad } from "../useLoad.ts"
import { formatDateTime, formatUsd, shortAddress, shortAmount, title } from "../words.ts"
import { LateOperations } from "./Late.tsx"
import { Stages } from "./Stages.tsx"
import type { ViewProps } from "./ViewProps.ts"

/** Numbers of days below which a balance must be funded soon, or immediately. */
const FEW_DAYS = 30
const LAST_DAYS = 7
/** A higher number of days is not displayed, because it would be an extrapolation from a few operations. */
const DAYS_SHOWN = 365

const DaysLeft = ({ daysLeft }: Pick<OperatorBalance, "daysLeft">) => {
  if (daysLeft === null) return <>Nothing spent</>
  const state = daysLeft < LAST_DAYS ? "bad" : daysLeft < FEW_DAYS ? "waiting" : "good"
  return <span class={`badge ${state}`}>{daysLeft > DAYS_SHOWN ? "Over a year" : `${daysLeft} days`}</span>
}

const Installation = ({ client }: { readonly client: Client }) => {
  const { failure, value } = useLoad("installation", (signal) =>
    Promise.all([
      client.admin.balances({ signal }),
      client.admin.installationWork({ signal }),
      client.admin.projects({ signal })
    ])
  )
  if (value === undefined) return <Failure of={failure} />
  const [{ balances, unpaidGas }, work, projects] = value
  return (
    <>
      <Table
        title="Balances that pay gas"
        head={["Account", "Chain", "Balance", "Spent in 7 days", "Days left"]}
        empty="No account of this service pays gas, because external bundlers and paymasters pay it."
        rows={balances.map((balance) => ({
          id: `${balance.kind} ${balance.chainId} ${balance.address}`,
          cells: [
            <>
              {title(balance.kind)} {balance.entryPointVersion}
              <small class="muted" title={balance.address}>
                {shortAddress(balance.address)}
              </small>
            </>,
            balance.chainName,
            balance.amount === null ? "Unknown: no node responds" : `${shortAmount(balance.amount)} ${balance.symbol}`,
            `${shortAmount(balance.spentAmount)} ${balance.symbol}`,
            balance.amount === null ? "Unknown" : <DaysLeft key="days" daysLeft={balance.daysLeft} />
          ]
        }))}
      />
      <Stages title="Pending work of all projects" stages={work.stages} reviews={work.reviews} />
      <LateOperations late={work.late} />
      <section class="card">
        <h2>Unpaid gas of all projects</h2>
        <p>
          {formatUsd(unpaidGas.currentUsd)} of {formatUsd(unpaidGas.usdPerDay)} a day
        </p>
      </section>
      <Table
        title="Projects"
        head={["Project", "Id", "Compute units", "Created"]}
        empty="There is no project."
        rows={projects.map(({ computeUnits, createdAt, id, name }) => ({
          id,
          cells: [name, <code key="id">{id}</code>, computeUnits ?? "No limit", formatDateTime(createdAt)]
        }))}
      />
    </>
  )
}

const Budgets = ({ client }: { readonly client: Client }) => {
  const { failure, value } = useLoad("budgets", (signal) => client.admin.budgets({ signal }))
  if (value === undefined) return <Failure of={failure} />
  const { computeUnits, unpaidGas, wallets } = value
  return (
    <>
      <section class="card">
        <h2>Budgets of the project</h2>
        <dl>
          <dt>Unpaid gas</dt>
          <dd>
            {formatUsd(unpaidGas.currentUsd)} of {formatUsd(unpaidGas.usdPerDay)} a day
          </dd>
          <dt>Compute units</dt>
          <dd>{computeUnits === null ? "No limit" : `${computeUnits} left`}</dd>
        </dl>
      </section>
      <Table
        title="Wallets with unpaid gas"
        head={["Wallet", "Chain", "Unpaid", "Last", "State"]}
        empty="No wallet left gas unpaid in the last 30 days."
        rows={wallets.map((wallet) => ({
          id: `${wallet.walletAddress} ${wallet.chainId}`,
          cells: [
            <code key="wallet">{wallet.walletAddress}</code>,
            wallet.chainId,
            `${formatUsd(wallet.usd)} in ${wallet.count}`,
            formatDateTime(wallet.lastAt),
            title(wallet.state)
          ]
        }))}
      />
    </>
  )
}

/** Shows the project's budgets, and the state of the installation if the key has the scope `operator`. */
export const OverviewView = ({ client }: ViewProps) => {
  const { failure, value: keys } = useLoad("keys", (signal) => client.admin.keys({ signal }))
  const isOperator = keys?.find(({ id }) => id === keyId.value)?.scopes.includes("operator") === true
  return (
    <div class="stack" aria-busy={keys === undefined && failure === undefined}>
      <Failure of={failure} />
      {isOperator && <Installation client={client} />}
      {keys !== undefined && <Budgets client={client} />}
      {keys !== undefined && !isOperator && (
        <p class="muted">
          Balances and other projects need a key with the scope operator:{" "}
          <code>countersign key create --scope admin,operator</code>.
        </p>
      )}
    </div>
  )
}
