# SPDX-FileCopyrightText: The Jackdaw authors
# SPDX-License-Identifier: Apache-2.0
"""What a camera session would say, without camera or learner: the other end of docs/api.md.

    session = MockSession()
    mug = session.add_class("mug")
    session.teach(mug, 2)          # from now on every tick is a lesson, for two seconds
    session.shown = "mug"          # what the moments answer; None: unknown; "cycle": each in turn
    session.tick()                 # the server does this ten times a second

Every method may be called from any thread. What cannot be done raises Refused(status, sentence).
"""
import json
import threading
import time


class Refused(Exception):
    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


class MockSession:
    VARIATIONS = 4  # of each taught picture
    MOST_BURSTS = 12

    def __init__(self):
        self.changed = threading.Condition(threading.RLock())
        self.version = self.frame = 0
        self.classes, self.bursts, self.problems = [], [], []
        self.next_class = self.next_burst = 1
        self.teaching = None  # (class, until)
        self.region = None
        self.status, self.status_message = "running", ""
        self.shown = "cycle"
        self.max_classes = 100
        self.lessons = 0
        self.slow_disk = False  # nothing becomes durable
        self.imported = []      # what was sent as state files: (kind, bytes)

    # --- what is shown --------------------------------------------------------------------------
    def state(self):
        with self.changed:
            return {
                "version": "0.1.0",
                "source": {"uri": "demo://", "status": self.status, "message": self.status_message,
                           "width": 640, "height": 480},
                "encoder": {"name": "efficientnet-lite0@cifar100-256", "backend": "onnxruntime 1.31.1, 2 threads"},
                "learner": {"backend": "cpu, avx512"},
                "classes": [dict(c, thumbnail=f"/api/classes/{c['id']}/thumbnail.jpg?v=1" if c["examples"] else None)
                            for c in self.classes],
                "max_classes": self.max_classes,
                "teaching": {"class": self.teaching[0]} if self.teaching else None,
                "bursts": [dict(b) for b in self.bursts],
                "region": self.region,
                "memory": {"planned_bytes": 75497472, "resident_bytes": 201326592 + 4096 * len(self.classes)},
                "state_folder": "/home/me/state", "record_folder": None,
                "problems": list(self.problems)}

    def moment(self):
        with self.changed:
            taught = [c for c in self.classes if c["examples"]]
            shown = self.shown
            if shown == "cycle":
                turn = self.frame // 40 % (len(taught) + 1)
                shown = taught[turn]["name"] if turn < len(taught) else None
            wobble = (self.frame % 7) / 100
            sure = 0.88 + wobble if any(c["name"] == shown for c in taught) else 0.0
            rest = (1.0 - sure) / (len(taught) + 1) * (0.5 if sure == 0.0 else 1.0)
            ranked = [{"class": c["id"], "name": c["name"], "confidence": sure if c["name"] == shown else rest}
                      for c in taught]
            ranked.sort(key=lambda guess: -guess["confidence"])
            answer = ranked[0] if sure else None
            return {
                "frame": self.frame, "answer": answer, "raw": answer, "ranked": ranked[:8],
                "unknown": 1.0 - sum(guess["confidence"] for guess in ranked),
                "taught": self.teaching is not None, "rate": {"captured": 30.0, "answered": 29.4 + wobble},
                "milliseconds": {"capture": 0.2, "preprocess": 0.8, "encode": 4.1 + wobble, "answer": 0.1,
                                 "teach": 1.2 if self.teaching else 0.0},
                "counts": {"answered": self.frame, "lessons": self.lessons, "dropped": 4, "bad_frames": 0,
                           "dropped_variations": 0}}

    def tick(self):
        with self.changed:
            self.frame += 1 if self.status == "running" else 0
            if self.teaching and time.monotonic() >= self.teaching[1]:
                self.teaching = None
                self._change()
            if self.teaching and self.status == "running":
                self._learn(self.bursts[-1])
            for burst in self.bursts:
                self._finish(burst)

    def _learn(self, burst):
        learned = self.find(burst["class"])
        burst["frames"] += 1
        burst["pending"] += self.VARIATIONS
        burst["durable"] = False
        learned["examples"] += 1
        self._lessons(burst, learned, 1)

    def _finish(self, burst):
        if burst["pending"]:
            some = min(6, burst["pending"])
            burst["pending"] -= some
            self._lessons(burst, self.find(burst["class"]), some)
        elif burst["frames"] and not burst["durable"] and not self.teaching and not self.slow_disk:
            burst["durable"] = True
            self._change()

    def _lessons(self, burst, learned, count):
        burst["lessons"] += count
        learned["lessons"] += count
        self.lessons += count
        self._change()

    def _change(self):
        self.version += 1
        self.changed.notify_all()

    # --- what can be asked ----------------------------------------------------------------------
    def find(self, class_id):
        for known in self.classes:
            if known["id"] == class_id:
                return known
        raise Refused(404, f"There is no class {class_id}.")

    def _free_name(self, name, besides=None):
        if not isinstance(name, str) or not name.strip() or len(name.encode()) > 64 or "\n" in name:
            raise Refused(400, "A name has 1 to 64 bytes, in one line.")
        if any(c["name"] == name and c["id"] != besides for c in self.classes):
            raise Refused(409, f"There is a class {name} already.")

    def add_class(self, name):
        with self.changed:
            self._free_name(name)
            if len(self.classes) >= self.max_classes:
                raise Refused(507, f"There is no room for more than {self.max_classes} classes.")
            self.classes.append({"id": self.next_class, "name": name, "examples": 0, "lessons": 0})
            self.next_class += 1
            self._change()
            return self.next_class - 1

    def rename(self, class_id, name):
        with self.changed:
            self._free_name(name, besides=class_id)
            self.find(class_id)["name"] = name
            self._change()

    def forget(self, class_id):
        with self.changed:
            self.classes.remove(self.find(class_id))
            self.bursts = [b for b in self.bursts if b["class"] != class_id]
            if self.teaching and self.teaching[0] == class_id:
                self.teaching = None
            self._change()

    def teach(self, class_id, seconds):
        with self.changed:
            self.find(class_id)
            if not 0 <= seconds <= 60:
                raise Refused(400, '"seconds" is from 0 to 60.')
            if not self.teaching or self.teaching[0] != class_id:
                self.bursts.append({"id": self.next_burst, "class": class_id, "frames": 0, "lessons": 0,
                                    "pending": 0, "durable": False, "undoable": True})
                self.next_burst += 1
                del self.bursts[:-self.MOST_BURSTS]
            self.teaching = (class_id, time.monotonic() + seconds)
            self._change()
            return self.bursts[-1]["id"]

    def stop_teaching(self):
        with self.changed:
            self.teaching = None
            self._change()

    def _burst(self, burst_id):
        for burst in reversed(self.bursts):
            if burst["undoable"] and burst_id in (None, burst["id"]):
                return burst
        raise Refused(404, "There is nothing to undo." if burst_id is None else f"There is no burst {burst_id}.")

    def _take(self, burst, sign):
        learned = self.find(burst["class"])
        learned["examples"] += sign * burst["frames"]
        learned["lessons"] += sign * burst["lessons"]

    def undo(self, burst_id=None):
        with self.changed:
            burst = self._burst(burst_id)
            self.teaching = None
            self._take(burst, -1)
            self.bursts.remove(burst)
            self._change()
            return burst["id"]

    def move(self, burst_id, class_id):
        with self.changed:
            burst = self._burst(burst_id)
            self.find(class_id)
            self._take(burst, -1)
            burst["class"] = class_id
            self._take(burst, +1)
            self._change()

    def set_region(self, region):
        with self.changed:
            if region is not None:
                x, y, width, height = (region[key] for key in ("x", "y", "width", "height"))
                inside = x >= 0 and y >= 0 and x + width <= 1 + 1e-9 and y + height <= 1 + 1e-9
                if not inside or width < 0.05 or height < 0.05:
                    raise Refused(400, "The region lies inside the picture and is at least a twentieth of it.")
            self.region = region
            self._change()

    def set(self, **what):
        """For tests: session.set(status="lost", problems=[...])"""
        with self.changed:
            for name, value in what.items():
                setattr(self, name, value)
            self._change()

    # --- state files ----------------------------------------------------------------------------
    def export(self):
        with self.changed:
            return json.dumps({"mock": [[c["name"], c["examples"], c["lessons"]] for c in self.classes]}).encode()

    def take_file(self, kind, data):
        with self.changed:
            try:
                learned = json.loads(data)["mock"]
            except (ValueError, KeyError, TypeError) as error:
                raise Refused(400, "This is not a state file of Jackdaw.") from error
            self.imported.append((kind, data))
            if kind == "import":
                self.classes, self.bursts, self.teaching = [], [], None
            for name, examples, lessons in learned:
                mine = next((c for c in self.classes if c["name"] == name), None)
                if mine is None:
                    mine = self.find(self.add_class(name))
                mine["examples"] += examples
                mine["lessons"] += lessons
            self._change()
