import { Schema } from "effect"

/** No key, an unknown, revoked or expired one. Says nothing of which, so that keys can't be probed for. */
export class InvalidApiKey extends Schema.TaggedError<InvalidApiKey>("core/projects/InvalidApiKey")(
  "INVALID_API_KEY",
  {}
) {
  override get message(): string {
    return "This is no valid API key."
  }
}

export class ScopeMissing extends Schema.TaggedError<ScopeMissing>("core/projects/ScopeMissing")("FORBIDDEN_SCOPE", {
  scope: Schema.String
}) {
  override get message(): string {
    return `This API key lacks the scope "${this.scope}".`
  }
}

export class ProjectNotFound extends Schema.TaggedError<ProjectNotFound>("core/projects/ProjectNotFound")(
  "PROJECT_NOT_FOUND",
  { projectId: Schema.String }
) {
  override get message(): string {
    return `There is no project ${this.projectId}.`
  }
}
