import { Schema } from "effect"

/** A setting is missing or invalid. The error does not contain the value, because it may be a secret. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>("adapters/settings/SettingInvalid")(
  "SETTING_INVALID",
  {
    name: Schema.String,
    expected: Schema.String,
    /** Other settings that have no effect without this setting. */
    requiredBy: Schema.optionalKey(Schema.Array(Schema.String))
  }
) {
  override get message(): string {
    return `${this.name} is not ${this.expected}. \`countersign serve --help\` lists the settings.`
  }
}
