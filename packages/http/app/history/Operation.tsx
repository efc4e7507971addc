import type { ComponentChildren } from "preact"
import type { Transaction } from "../../src/client/index.ts"
import { pageLinkOrNull } from "../service.ts"
import { formatPreciseDateTime, formatUsd, isSameAddress, percentOf, title } from "../words.ts"
import { stagesOf } from "./stages.ts"
import { Status } from "./TransactionRow.tsx"

const Stages = ({ transaction }: { readonly transaction: Transaction }) => (
  <ol class="stages" aria-label="Stages" aria-live="polite">
    {stagesOf(transaction).map(({ at, state, words }) => (
      <li key={words} class={state} aria-current={state === "current" ? "step" : undefined}>
        {words}
        {at !== null && <small class="muted">{formatPreciseDateTime(at)}</small>}
      </li>
    ))}
  </ol>
)

interface ExpectedProps {
  readonly words: string
  readonly amount: Transaction["sentAmount"]
  readonly chain: Transaction["chain"]
  readonly address: string | null
}

const ExpectedAmount = ({ address, amount, chain, words }: ExpectedProps) =>
  amount === null ? null : (
    <li>
      <span>
        {words}
        {chain !== null && <small class="muted">{chain.name}</small>}
      </span>
      <span class="right">
        {amount.amount} {amount.token?.symbol ?? amount.currency}
        <small class="muted">{formatUsd(amount.amountIn.usd)}</small>
        {address !== null && <small class="address muted">{address}</small>}
      </span>
    </li>
  )

type MovementItem = Transaction["movements"][number]

const labelOf = ({ direction, role }: MovementItem): string =>
  role === "GAS" ? "Gas" : role === "FEE" ? "Fee" : direction === "IN" ? "Received" : "Sent"

const Movement = ({ movement }: { readonly movement: MovementItem }) => (
  <li>
    <span>
      {labelOf(movement)}
      {movement.chain !== null && <small class="muted">{movement.chain.name}</small>}
    </span>
    <span class="right">
      {movement.direction === "IN" ? "+" : "−"}
      {movement.amount} {movement.token?.symbol ?? movement.currency ?? movement.tokenAddress}
      <small class="muted">{formatUsd(movement.valueUsd)}</small>
      {movement.counterparty !== null && <small class="address muted">{movement.counterparty}</small>}
    </span>
  </li>
)

/** Returns the symbol of a fee's token, if the transaction contains the token. */
const symbolIn = ({ receivedCryptoCurrency, sentCryptoCurrency }: Transaction, address: string | null) =>
  [sentCryptoCurrency, receivedCryptoCurrency].find((token) => isSameAddress(address, token?.address ?? null))?.symbol

const Fees = ({ transaction }: { readonly transaction: Transaction }) => (
  <>
    {transaction.fees.map(({ amount, currency, percentage, toAddress, token, type }) => (
      <li key={`${type} ${token} ${toAddress}`}>
        <span>
          {title(type)} fee
          {percentage !== null && <small class="muted">{percentOf(Number(percentage) / 100).slice(1)}</small>}
        </span>
        <span class="right">
          {amount} {currency ?? symbolIn(transaction, token)}
          {token !== null && <small class="address muted">{token}</small>}
        </span>
      </li>
    ))}
  </>
)

const Detail = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) =>
  children === null ? null : (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )

type Leg = Transaction["legs"][number]

const legStates: Readonly<Record<Leg["state"], string>> = {
  PENDING: "in no block yet",
  INCLUDED: "in a block",
  FINAL: "in a final block"
}

const LegRow = ({ leg: { chain, state, transactionHash } }: { readonly leg: Leg }) => (
  <li>
    <span>
      {chain.name}
      <small class="muted">{legStates[state]}</small>
    </span>
    <span class="right">{transactionHash === null ? null : <TransactionLink transactionHash={transactionHash} />}</span>
  </li>
)

type OnChainTransaction = NonNullable<Leg["transactionHash"]>

const TransactionLink = ({
  transactionHash: { explorer, explorerURL, hash }
}: {
  readonly transactionHash: OnChainTransaction
}) => {
  const link = pageLinkOrNull(explorerURL)
  return (
    <>
      <span class="address">{hash}</span>{" "}
      {link !== null && (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {explorer ?? "Block explorer"}
        </a>
      )}
    </>
  )
}

/** Shows the stages, movements and links of a transaction. */
export const Operation = ({ transaction }: { readonly transaction: Transaction }) => {
  const { chainIn, chainOut, failure, fees, legs, movements, receivedAmount, receivedFromAddress, sentAmount, sentTo } =
    transaction
  return (
    <>
      <p>
        <Status status={transaction.status} />
      </p>
      <Stages transaction={transaction} />
      {failure !== null && (
        <p class="failure">
          <strong>{failure.code}</strong> {failure.message}
        </p>
      )}
      <h3>Movements</h3>
      <ul class="rows">
        {movements.length === 0 ? (
          <>
            <ExpectedAmount words="To be sent" amount={sentAmount} chain={chainIn} address={sentTo} />
            <ExpectedAmount
              words="To be received"
              amount={receivedAmount}
              chain={chainOut}
              address={receivedFromAddress}
            />
          </>
        ) : (
          movements.map((movement, index) => <Movement key={index} movement={movement} />)
        )}
      </ul>
      {fees.length > 0 && (
        <>
          <h3>Fees</h3>
          <ul class="rows">
            <Fees transaction={transaction} />
          </ul>
        </>
      )}
      <h3>On chain</h3>
      <ul class="rows">
        {legs.map((leg, index) => (
          <LegRow key={index} leg={leg} />
        ))}
      </ul>
      <h3>Details</h3>
      <dl>
        <Detail name="User operation">
          {transaction.userOperationHash === null ? null : <span class="address">{transaction.userOperationHash}</span>}
        </Detail>
        <Detail name="Provider">{transaction.swapProvider}</Detail>
        <Detail name="Liquidity position">{transaction.liquidity?.tokenId ?? null}</Detail>
        <Detail name="Lending">{transaction.lending?.provider ?? null}</Detail>
        <Detail name="Id">{transaction.id}</Detail>
        {Object.entries(transaction.metadata).map(([name, value]) => (
          <Detail key={name} name={name}>
            {value}
          </Detail>
        ))}
      </dl>
    </>
  )
}
