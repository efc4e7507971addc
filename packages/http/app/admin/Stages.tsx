import type { PendingReviews, PendingStage } from "../../src/client/index.ts"
import { Table } from "../Table.tsx"
import { title as titleOf } from "../words.ts"
import { ageOf } from "./age.ts"

interface StagesProps {
  readonly title: string
  readonly stages: ReadonlyArray<PendingStage>
  readonly reviews: ReadonlyArray<PendingReviews>
}

/** Shows pending work by stage, with the age of the oldest item. */
export const Stages = ({ reviews, stages, title }: StagesProps) => (
  <Table
    title={title}
    head={["Stage", "Waits for", "Pending", "Late", "Oldest"]}
    empty="No work is pending."
    rows={[
      ...stages.map(({ count, lateCount, oldestAt, stage, waitsFor }) => ({
        id: `${stage} ${waitsFor}`,
        cells: [
          stage,
          titleOf(waitsFor),
          count,
          lateCount === 0 ? "None" : <span class="badge bad">{lateCount}</span>,
          ageOf(oldestAt)
        ]
      })),
      ...reviews.map(({ count, oldestAt, status }) => ({
        id: status,
        cells: [
          "Identity verification",
          status === "IN_REVIEW" ? "A reviewer" : "The provider",
          count,
          "–",
          ageOf(oldestAt)
        ]
      }))
    ]}
  />
)
