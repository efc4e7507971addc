import { Context, type DateTime, type Effect, Schema } from "effect"
import type { ProjectId } from "../tenancy/projects/index.ts"

/** The id of a verified individual: up to 128 characters. The party that verifies the individual chooses it. */
export const IndividualId = Schema.String.check(
  Schema.isPattern(/^[^\p{C}\s]{1,128}$/u, { message: "Expected 1 to 128 characters without spaces" })
).pipe(Schema.brand("IndividualId"))
export type IndividualId = typeof IndividualId.Type

/**
 * How the identity was verified, from the weakest to the strongest level: by the operator's statement, by documents, or
 * as a business with its owners.
 */
export const VerificationLevel = Schema.Literals(["BASIC", "DOCUMENTS", "BUSINESS"])
export type VerificationLevel = typeof VerificationLevel.Type

/** Returns the levels that are weaker than this one. */
export const levelsBelow = (level: VerificationLevel): ReadonlyArray<VerificationLevel> =>
  VerificationLevel.literals.slice(0, VerificationLevel.literals.indexOf(level))

export interface VerifiedIndividual {
  readonly id: IndividualId
  readonly verifiedAt: DateTime.Utc
  readonly level: VerificationLevel
}

/** An individual to verify. The level defaults to BASIC. */
export type NewVerifiedIndividual = Omit<VerifiedIndividual, "level"> & Partial<Pick<VerifiedIndividual, "level">>

/** Stores each project's individuals whose identity is verified. */
export class VerifiedIndividuals extends Context.Service<
  VerifiedIndividuals,
  {
    /**
     * Records a verification. Returns false if the individual was verified before. The first verification time then
     * stays, and a stronger level replaces a weaker one.
     */
    readonly verify: (projectId: ProjectId, individual: NewVerifiedIndividual) => Effect.Effect<boolean>
    /** Revokes a verification. Returns false if the individual was not verified. */
    readonly revoke: (projectId: ProjectId, id: IndividualId) => Effect.Effect<boolean>
    readonly isVerified: (projectId: ProjectId, id: string) => Effect.Effect<boolean>
    /** Returns the level of an individual. Null if the individual is not verified. */
    readonly levelOf: (projectId: ProjectId, id: string) => Effect.Effect<VerificationLevel | null>
    /** Returns the verified individuals, sorted by id. */
    readonly list: (projectId: ProjectId) => Effect.Effect<ReadonlyArray<VerifiedIndividual>>
  }
>()("@countersign/core/identity/VerifiedIndividuals") {}
