import { Context, type DateTime, type Effect, Schema } from "effect"
import type { ProjectId } from "../projects/index.ts"

/** The id of somebody whose identity is verified: up to 128 characters, chosen by who verifies. */
export const IndividualId = Schema.String.check(
  Schema.isPattern(/^[^\p{C}\s]{1,128}$/u, { message: "Expected 1 to 128 characters without spaces" })
).pipe(Schema.brand("IndividualId"))
export type IndividualId = typeof IndividualId.Type

export interface VerifiedIndividual {
  readonly id: IndividualId
  readonly verifiedAt: DateTime.Utc
}

/** The individuals of each project whose identity is verified. */
export class VerifiedIndividuals extends Context.Service<
  VerifiedIndividuals,
  {
    /** False if it was verified before; the first time stays. */
    readonly verify: (projectId: ProjectId, individual: VerifiedIndividual) => Effect.Effect<boolean>
    /** False if it was not verified. */
    readonly revoke: (projectId: ProjectId, id: IndividualId) => Effect.Effect<boolean>
    readonly isVerified: (projectId: ProjectId, id: string) => Effect.Effect<boolean>
    /** By their ids. */
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<VerifiedIndividual>>
  }
>()("@countersign/core/identity/VerifiedIndividuals") {}
