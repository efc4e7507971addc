import { Schema } from "effect"

/** A setting that is there and can't be used. Its value is not repeated: it may be a secret. */
export class SettingInvalid extends Schema.TaggedError<SettingInvalid>("adapters/settings/SettingInvalid")(
  "SETTING_INVALID",
  { name: Schema.String, expected: Schema.String }
) {
  override get message(): string {
    return `${this.name} is not ${this.expected}. \`countersign serve --help\` lists the settings.`
  }
}
