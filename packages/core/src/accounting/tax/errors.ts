import { Schema } from "effect"

/** The time zone is unknown, or it is a fixed offset. */
export class TimezoneInvalid extends Schema.TaggedError<TimezoneInvalid>("core/tax/TimezoneInvalid")(
  "INVALID_TAX_EXPORT_SCHEDULE_TIMEZONE",
  { timezone: Schema.String }
) {
  override get message(): string {
    return `"${this.timezone.slice(0, 60)}" is not a time zone in the IANA database. Use a name such as America/Sao_Paulo, not a fixed offset.`
  }
}

export class TaxScheduleExists extends Schema.TaggedError<TaxScheduleExists>("core/tax/TaxScheduleExists")(
  "TAX_EXPORT_SCHEDULE_ALREADY_EXISTS",
  { walletAddress: Schema.String, recurrencePreset: Schema.String }
) {
  override get message(): string {
    return `Wallet ${this.walletAddress} already has a schedule with the preset ${this.recurrencePreset}. To create another schedule, delete this one first.`
  }
}

export class TaxScheduleNotFound extends Schema.TaggedError<TaxScheduleNotFound>("core/tax/TaxScheduleNotFound")(
  "TAX_EXPORT_SCHEDULE_NOT_FOUND",
  { walletAddress: Schema.String }
) {
  override get message(): string {
    return `Wallet ${this.walletAddress} has no schedule of tax exports.`
  }
}

/** The schedule is rejected because the service can't send email. */
export class TaxSchedulingFailed extends Schema.TaggedError<TaxSchedulingFailed>("core/tax/TaxSchedulingFailed")(
  "FAILED_TO_PUBLISH_TAX_EXPORT_SCHEDULE_MESSAGE",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The export can't be scheduled: ${this.reason}.`
  }
}
