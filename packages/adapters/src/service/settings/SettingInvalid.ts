import { Schema } from "effect"

/** A setting that is missing or can't be used. The value is left out, because it may be a secret. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>("adapters/settings/SettingInvalid")(
  "SETTING_INVALID",
  {
    name: Schema.String,
    expected: Schema.String,
    /** Other settings that are of no use without it. */
    requiredBy: Schema.optionalKey(Schema.Array(Schema.String))
  }
) {
  override get message(): string {
    return `${this.name} is not ${this.expected}. \`countersign serve --help\` lists the settings.`
  }
}
