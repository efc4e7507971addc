import type { PriceUnit } from "./limitPrice.ts"

/** One week, in seconds. */
export const WEEK_SECONDS = 604_800

const expirations = [
  { seconds: 3_600, words: "In an hour" },
  { seconds: 86_400, words: "In a day" },
  { seconds: WEEK_SECONDS, words: "In a week" },
  { seconds: 2_592_000, words: "In 30 days" }
]

interface LimitFieldsProps {
  readonly fields: {
    readonly price: string
    readonly unit: PriceUnit
    readonly expiration: number
    readonly isPartial: boolean
  }
  /** Minimum output of the order, as a decimal amount; null while the amount or the price is not a positive number. */
  readonly minAmountOut: string | null
  readonly symbolIn: string
  readonly symbolOut: string
  readonly onChange: (changes: Partial<LimitFieldsProps["fields"]>) => void
}

/** Renders the price and the validity of a limit order. */
export const LimitFields = ({ fields, minAmountOut, onChange, symbolIn, symbolOut }: LimitFieldsProps) => (
  <>
    <div class="pair">
      <label>
        Price
        <input
          name="price"
          inputmode="decimal"
          autocomplete="off"
          required
          value={fields.price}
          onInput={({ currentTarget }) => onChange({ price: currentTarget.value.trim() })}
        />
      </label>
      <label>
        Unit of the price
        <select
          name="unit"
          value={fields.unit}
          onChange={({ currentTarget }) => onChange({ unit: currentTarget.value as PriceUnit })}
        >
          <option value="inPerOut">
            {symbolIn} for 1 {symbolOut}
          </option>
          <option value="outPerIn">
            {symbolOut} for 1 {symbolIn}
          </option>
        </select>
      </label>
    </div>
    <p class="muted" role="status">
      {minAmountOut === null ? "Enter a price." : `You get at least ${minAmountOut} ${symbolOut}.`}
    </p>
    <label>
      Expires
      <select
        name="expiration"
        value={fields.expiration}
        onChange={({ currentTarget }) => onChange({ expiration: Number(currentTarget.value) })}
      >
        {expirations.map(({ seconds, words }) => (
          <option key={seconds} value={seconds} selected={seconds === fields.expiration}>
            {words}
          </option>
        ))}
      </select>
    </label>
    <label class="check">
      <input
        type="checkbox"
        name="isPartial"
        checked={fields.isPartial}
        onInput={({ currentTarget }) => onChange({ isPartial: currentTarget.checked })}
      />
      The order may be filled in several parts
    </label>
  </>
)
