import type { ComponentChildren } from "preact"
import type { Transaction } from "../../src/client/index.ts"
import { pageLinkOrNull } from "../service.ts"
import { exactMoment, percentOf, sameAddress, title, usd } from "../words.ts"
import { stagesOf } from "./stages.ts"
import { Status } from "./TransactionRow.tsx"

const Stages = ({ transaction }: { readonly transaction: Transaction }) => (
  <ol class="stages" aria-label="Stages" aria-live="polite">
    {stagesOf(transaction).map(({ at, state, words }) => (
      <li key={words} class={state} aria-current={state === "current" ? "step" : undefined}>
        {words}
        {at !== null && <small class="muted">{exactMoment(at)}</small>}
      </li>
    ))}
  </ol>
)

interface MovementProps {
  readonly words: string
  readonly amount: Transaction["sentAmount"]
  readonly chain: Transaction["chain"]
  readonly address: string | null
}

const Movement = ({ address, amount, chain, words }: MovementProps) =>
  amount === null ? null : (
    <li>
      <span>
        {words}
        {chain !== null && <small class="muted">{chain.name}</small>}
      </span>
      <span class="right">
        {amount.amount} {amount.token?.symbol ?? amount.currency}
        <small class="muted">{usd(amount.amountIn.usd)}</small>
        {address !== null && <small class="address muted">{address}</small>}
      </span>
    </li>
  )

/** A fee's token by its symbol, where the transaction itself names it. */
const symbolIn = ({ receivedCryptoCurrency, sentCryptoCurrency }: Transaction, address: string | null) =>
  [sentCryptoCurrency, receivedCryptoCurrency].find((token) => sameAddress(address, token?.address ?? null))?.symbol

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

const OnChain = ({ transactionHash: { explorer, explorerURL, hash } }: Pick<Transaction, "transactionHash">) => {
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

/** A transaction's life, what it moved, and where to look further. */
export const Operation = ({ transaction }: { readonly transaction: Transaction }) => {
  const { chainIn, chainOut, failure, receivedAmount, receivedFromAddress, sentAmount, sentTo } = transaction
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
        <Movement words="Sent" amount={sentAmount} chain={chainIn} address={sentTo} />
        <Movement words="Received" amount={receivedAmount} chain={chainOut} address={receivedFromAddress} />
        <Fees transaction={transaction} />
      </ul>
      <h3>Details</h3>
      <dl>
        <Detail name="On chain">
          {transaction.transactionHash.hash === null ? null : <OnChain transactionHash={transaction.transactionHash} />}
        </Detail>
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
