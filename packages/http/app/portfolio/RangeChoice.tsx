import type { PortfolioChart } from "../../src/client/index.ts"

export type Range = PortfolioChart["timerange"]

const ranges: ReadonlyArray<readonly [Range, string]> = [
  ["1d", "1 day"],
  ["7d", "7 days"],
  ["1m", "30 days"],
  ["1a", "1 year"],
  ["all", "All"]
]

interface RangeChoiceProps {
  readonly chosen: Range
  readonly onChoose: (range: Range) => void
}

export const RangeChoice = ({ chosen, onChoose }: RangeChoiceProps) => (
  <fieldset class="ranges">
    <legend class="hidden">Time</legend>
    {ranges.map(([range, words]) => (
      <label key={range}>
        <input type="radio" name="range" value={range} checked={range === chosen} onChange={() => onChoose(range)} />
        <span>{words}</span>
      </label>
    ))}
  </fieldset>
)
