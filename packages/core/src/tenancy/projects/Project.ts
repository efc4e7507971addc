import { Schema } from "effect"
import { Address, BitcoinAddress } from "../../foundation/primitives/index.ts"

export const ProjectId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ProjectId"))
export type ProjectId = typeof ProjectId.Type

/** The name of a project, which is unique in an installation. */
export const ProjectName = Schema.Trimmed.check(Schema.isMinLength(1), Schema.isMaxLength(100))

/** A tenant. Other projects can't read its data. */
export const Project = Schema.Struct({
  id: ProjectId,
  organizationId: Schema.String,
  name: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  /** The receiver of `transactionFeePercent`. If null, this fee is not charged. */
  treasury: Schema.NullOr(Address),
  /** The receiver of `transactionFeePercent` on Bitcoin. If null, this fee is not charged there. */
  bitcoinTreasury: Schema.NullOr(BitcoinAddress),
  /** Remaining compute units. Null for no limit. */
  computeUnits: Schema.NullOr(Schema.Int),
  createdAt: Schema.DateTimeUtc
})
export type Project = typeof Project.Type

/** The fields that an operator can change. Absent fields stay unchanged. */
export type ProjectChanges = Partial<Pick<Project, "treasury" | "bitcoinTreasury" | "computeUnits">>
