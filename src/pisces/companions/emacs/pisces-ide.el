;;; pisces-ide.el --- Agents in terminals see what you edit -*- lexical-binding: t -*-

;; Author: The pisces authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: tools, convenience, processes
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `pisces-ide-mode' runs `pisces ide serve', which does the protocol, and
;; talks to it in JSON lines.  Agents in a shell of this Emacs (Gemini CLI,
;; pisces) are told which files are open, where point is and what is
;; selected, and show their changes here before they make them:
;;
;;   C-c C-c  takes the change, as it is now in the right window
;;   C-c C-k  refuses it
;;   C-c C-e  compares the two windows with Ediff
;;
;; To start it:
;;
;;   (require 'pisces-ide)
;;   (pisces-ide-mode 1)

;;; Code:

(require 'project)
(require 'seq)
(require 'subr-x)

(declare-function ediff-buffers "ediff")

(defgroup pisces-ide nil
  "Agents in terminals see what you edit."
  :group 'tools
  :prefix "pisces-ide-")

(defcustom pisces-ide-command '("pisces")
  "The words that start pisces."
  :type '(repeat string))

(defcustom pisces-ide-workspace-function #'pisces-ide-roots
  "A function that lists the folders that are open."
  :type 'function)

(defcustom pisces-ide-terminal-modes
  '(comint-mode eshell-mode term-mode vterm-mode eat-mode)
  "Modes of buffers in which agents run; their folders are open, too."
  :type '(repeat symbol))

(defcustom pisces-ide-idle-seconds 0.05
  "How long Emacs rests before it tells where point is."
  :type 'number)

(defconst pisces-ide--most 16384 "Characters of a selection.")

(defvar pisces-ide--process nil "The companion, while it runs.")
(defvar pisces-ide--timer nil)
(defvar pisces-ide--clients 0 "How many agents are connected.")
(defvar pisces-ide--variables nil
  "What was set for terminals, each with its value before.")
(defvar pisces-ide--told nil "What was told last: path, point, selection.")
(defvar pisces-ide--workspace nil "The folders that were told last.")
(defvar pisces-ide--diffs nil "Buffers with proposals, the newest first.")

(defvar-local pisces-ide--path nil "The file that this buffer is known by.")
(defvar-local pisces-ide--root nil "A folder and its root, (FOLDER . ROOT).")

;;;; Talking

(defun pisces-ide--send (act &rest fields)
  "Tell the companion to do ACT, with FIELDS."
  (when (process-live-p pisces-ide--process)
    (process-send-string
     pisces-ide--process
     (concat (json-serialize (append (list :do act) fields)) "\n"))))

(defun pisces-ide--filter (process output)
  "Take OUTPUT of PROCESS apart into lines."
  (when (buffer-live-p (process-buffer process))
    (let (lines)
      (with-current-buffer (process-buffer process)
        (goto-char (point-max))
        (let ((start (point)))
          (insert output)
          (goto-char start))
        (while (search-forward "\n" nil t)
          (push (delete-and-extract-region (point-min) (point)) lines)))
      (dolist (line (nreverse lines))
        (pisces-ide--hear (json-parse-string line :object-type 'plist))))))

(defun pisces-ide--hear (told)
  "Do what the companion has TOLD."
  (let ((path (plist-get told :path)))
    (pcase (plist-get told :event)
      ((or "ready" "env")
       (pisces-ide--set-variables (plist-get told :env)))
      ("clients" (setq pisces-ide--clients (plist-get told :count)))
      ("openDiff"
       (condition-case problem
           (pisces-ide--show path (plist-get told :content))
         (error
          (ignore-errors (pisces-ide--close path))
          (pisces-ide--send "abandon" :path path)
          (message "pisces: the diff cannot be shown: %s"
                   (error-message-string problem)))))
      ("closeDiff"
       (let ((text (pisces-ide--close path)))
         (apply #'pisces-ide--send "closed" :id (plist-get told :id)
                (and text (list :content text)))))
      ("problem"
       (unless (equal (plist-get told :severity) "note")
         (message "pisces: %s" (plist-get told :message)))))))

(defun pisces-ide--set-variables (env)
  "Give the variables in ENV to every terminal from now on."
  (while env
    (let ((name (substring (symbol-name (pop env)) 1)))
      (unless (assoc name pisces-ide--variables)
        (push (cons name (getenv name)) pisces-ide--variables))
      (setenv name (pop env)))))

(defun pisces-ide--text (text)
  "TEXT, with bytes that are no characters taken for Latin-1."
  (if (multibyte-string-p text)
      (replace-regexp-in-string
       "[^\x00-\x10FFFF]"
       (lambda (byte) (string (logand (aref byte 0) 255))) text t t)
    (decode-coding-string text 'latin-1)))

;;;; What is open

(defun pisces-ide--file (&optional buffer)
  "The local file of BUFFER, nil for everything else."
  (let ((path (buffer-file-name buffer)))
    (and path (not (file-remote-p path)) (expand-file-name path))))

(defun pisces-ide--opened ()
  "Tell that the current buffer has a file."
  (let ((path (pisces-ide--file)))
    (when path
      (setq pisces-ide--path path)
      (pisces-ide--send "open" :path path))))

(defun pisces-ide--closed ()
  "Tell that the file of the current buffer is closed."
  (when pisces-ide--path
    (pisces-ide--send "close" :path pisces-ide--path)
    (setq pisces-ide--told nil)))

(defun pisces-ide--renamed ()
  "Tell the new name of the current buffer's file."
  (let ((old pisces-ide--path) (new (pisces-ide--file)))
    (setq pisces-ide--path new)
    (cond ((and old new (not (equal old new)))
           (pisces-ide--send "rename" :path old :to new))
          ((and new (not old)) (pisces-ide--opened))
          ((and old (not new)) (pisces-ide--send "close" :path old)))))

(defun pisces-ide--saved ()
  "A file may be on disk only now."
  (setq pisces-ide--told nil))

(defun pisces-ide--selection ()
  "What is selected in the current buffer, nil for nothing."
  (when (use-region-p)
    (let ((start (region-beginning)))
      (pisces-ide--text
       (buffer-substring-no-properties
        start (min (region-end) (+ start pisces-ide--most)))))))

(defun pisces-ide--look (&rest _)
  "Tell what the user looks at, if that is new."
  (when (process-live-p pisces-ide--process)
    (pisces-ide--look-at-workspace)
    (with-current-buffer (window-buffer (selected-window))
      (let* ((path (pisces-ide--file))
             (told (list path (point) (buffer-modified-tick)
                         (and (use-region-p) (mark)))))
        ;; In a terminal, what was looked at before stays.
        (when (and path (not (equal told pisces-ide--told)))
          (let ((is-same (equal path (car pisces-ide--told))))
            (setq pisces-ide--told told pisces-ide--path path)
            (pisces-ide--tell (not is-same) path)))))))

(defun pisces-ide--tell (is-new path)
  "Tell where point is in PATH; IS-NEW when it was not looked at before."
  (let ((text (pisces-ide--selection))
        (cursor (list :line (line-number-at-pos nil t)
                      :character (1+ (- (point) (line-beginning-position))))))
    (apply #'pisces-ide--send (if is-new "focus" "select")
           (append (and is-new (list :path path))
                   (list :cursor cursor)
                   (and text (list :selectedText text))))))

(defun pisces-ide--buffer-root (buffer)
  "The root of the project of BUFFER, else its folder; nil if it is not local."
  (with-current-buffer buffer
    (when (and (or (pisces-ide--file)
                   (apply #'derived-mode-p pisces-ide-terminal-modes))
               default-directory
               (not (file-remote-p default-directory)))
      (unless (equal (car pisces-ide--root) default-directory)
        (let ((project (project-current nil)))
          (setq pisces-ide--root
                (cons default-directory
                      (expand-file-name
                       (if project (pisces-ide--project-root project)
                         default-directory))))))
      (directory-file-name (cdr pisces-ide--root)))))

(defun pisces-ide--project-root (project)
  "The folder of PROJECT, in any Emacs."
  (if (fboundp 'project-root)
      (project-root project)
    (car (with-no-warnings (project-roots project)))))

(defun pisces-ide-roots ()
  "The roots of all projects with an open file or terminal."
  (or (delete-dups (delq nil (mapcar #'pisces-ide--buffer-root (buffer-list))))
      (list (directory-file-name (expand-file-name default-directory)))))

(defun pisces-ide--look-at-workspace ()
  "Tell which folders are open, if that is new."
  (let ((roots (sort (copy-sequence (funcall pisces-ide-workspace-function))
                     #'string<)))
    (unless (equal roots pisces-ide--workspace)
      (setq pisces-ide--workspace roots)
      (pisces-ide--send "workspace" :paths (vconcat roots))
      (pisces-ide--send "env"))))

;;;; Diffs

(defvar-local pisces-ide--proposal nil
  "In a proposal: a plist of :path, :left, :ends and :windows.")

(defvar pisces-ide-diff-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'pisces-ide-accept)
    (define-key map (kbd "C-c C-k") #'pisces-ide-reject)
    (define-key map (kbd "C-c C-e") #'pisces-ide-ediff)
    (define-key map [remap save-buffer] #'pisces-ide-accept)
    map)
  "Keys in both windows of a diff.")

(define-minor-mode pisces-ide-diff-mode
  "A change that an agent proposes: edit it, take it or refuse it."
  :lighter " Proposed"
  :keymap pisces-ide-diff-mode-map)

(defun pisces-ide--buffer (name path fill)
  "A new buffer called NAME in the mode of PATH, with what FILL inserts."
  (with-current-buffer (generate-new-buffer name)
    (setq default-directory (file-name-directory path))
    (funcall fill)
    (delay-mode-hooks                   ; no language server for this one
      (let ((buffer-file-name path)
            (enable-local-variables nil))
        (ignore-errors (set-auto-mode))))
    (font-lock-mode 1)
    (goto-char (point-min))
    (setq buffer-undo-list nil)
    (set-buffer-modified-p nil)
    (current-buffer)))

(defun pisces-ide--show (path content)
  "Show CONTENT as a change of PATH, without taking the focus."
  (unless (seq-some (lambda (frame)
                      (not (equal (terminal-name frame) "initial_terminal")))
                    (frame-list))
    (error "Nobody looks at this Emacs"))
  (pisces-ide--close path)
  (let* ((name (file-name-nondirectory path))
         (is-dos (and (string-match-p "\r\n" content)
                      (not (string-match-p "\\(?:[^\r]\\|\\`\\)\n" content))))
         (left (pisces-ide--buffer
                (format "*%s*" name) path
                (lambda ()
                  (when (file-readable-p path)
                    (insert-file-contents path)))))
         (right (pisces-ide--buffer
                 (format "*%s proposed*" name) path
                 (lambda ()
                   (insert (if is-dos
                               (replace-regexp-in-string "\r\n" "\n" content)
                             content))))))
    (with-current-buffer left
      (setq buffer-read-only t)
      (pisces-ide-diff-mode 1))
    (with-current-buffer right
      (setq pisces-ide--proposal
            (list :path path :left left :ends (if is-dos "\r\n" "\n")))
      (setq header-line-format
            (substitute-command-keys
             "Proposed: \\[pisces-ide-accept] takes it, \\[pisces-ide-reject] refuses it"))
      (pisces-ide-diff-mode 1)
      (add-hook 'kill-buffer-hook #'pisces-ide--killed nil t)
      (push right pisces-ide--diffs)
      (pisces-ide--mark-changes left right)
      (setq pisces-ide--proposal
            (plist-put pisces-ide--proposal
                       :windows (pisces-ide--display left right))))))

(defun pisces-ide--display (left right)
  "Show LEFT and RIGHT side by side; return the windows."
  (let* ((action '((display-buffer-use-some-window
                    display-buffer-pop-up-window)
                   (inhibit-same-window . t)))
         (one (or (display-buffer left action)
                  (error "There is no room for another window")))
         (other (ignore-errors (split-window one nil 'right))))
    (set-window-buffer (or other one) right)
    (if other (list one other) (list one))))

(defun pisces-ide--mark-changes (left right)
  "Colour the lines that differ between LEFT and RIGHT, if there is a diff."
  (let ((old (make-temp-file "pisces")) (new (make-temp-file "pisces"))
        (coding-system-for-write 'utf-8-unix))
    (unwind-protect
        (progn
          (dolist (each (list (cons left old) (cons right new)))
            (with-current-buffer (car each)
              (write-region nil nil (cdr each) nil 'silent)))
          (with-temp-buffer
            (when (ignore-errors (call-process "diff" nil t nil old new))
              (goto-char (point-min))
              (while (re-search-forward
                      "^\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?\\([acd]\\)\\([0-9]+\\)\\(?:,\\([0-9]+\\)\\)?$"
                      nil t)
                (let ((kind (match-string 3))
                      (lines (mapcar (lambda (at)
                                       (and (match-string at)
                                            (string-to-number (match-string at))))
                                     '(1 2 4 5))))
                  (pcase-let ((`(,a ,b ,c ,d) lines))
                    (unless (equal kind "a")
                      (pisces-ide--mark left a (or b a) 'diff-removed))
                    (unless (equal kind "d")
                      (pisces-ide--mark right c (or d c) 'diff-added))))))))
      (delete-file old)
      (delete-file new))))

(defun pisces-ide--mark (buffer first last face)
  "Put FACE on the lines from FIRST to LAST in BUFFER."
  (with-current-buffer buffer
    (save-excursion
      (goto-char (point-min))
      (forward-line (1- first))
      (let ((start (point)))
        (forward-line (- last first -1))
        (overlay-put (make-overlay start (point)) 'face face)))))

(defun pisces-ide--proposed (buffer)
  "The text in BUFFER, a proposal, as it is now."
  (with-current-buffer buffer
    (let ((text (save-restriction
                  (widen)
                  (buffer-substring-no-properties (point-min) (point-max)))))
      (pisces-ide--text
       (if (equal (plist-get pisces-ide--proposal :ends) "\n") text
         (replace-regexp-in-string "\n" "\r\n" text t t))))))

(defun pisces-ide--take-away (buffer)
  "Close the windows of BUFFER, a proposal, and kill what is in them."
  (let ((proposal (buffer-local-value 'pisces-ide--proposal buffer)))
    (setq pisces-ide--diffs (delq buffer pisces-ide--diffs))
    (dolist (seconds '(0.5 1 2 4))
      (run-at-time seconds nil #'pisces-ide--reread
                   (plist-get proposal :path)))
    (dolist (window (reverse (plist-get proposal :windows)))
      (when (and (window-live-p window)
                 (memq (window-buffer window)
                       (list buffer (plist-get proposal :left))))
        (if (window-parameter window 'quit-restore)
            (quit-restore-window window)
          (ignore-errors (delete-window window)))))
    (dolist (each (list (plist-get proposal :left) buffer))
      (when (buffer-live-p each)
        (with-current-buffer each
          (set-buffer-modified-p nil)
          (remove-hook 'kill-buffer-hook #'pisces-ide--killed t))
        (kill-buffer each)))))

(defun pisces-ide--reread (path)
  "Show what an agent has written to PATH, unless it was edited here."
  (let ((buffer (find-buffer-visiting path)))
    (when (and buffer
               (file-exists-p path)
               (not (buffer-modified-p buffer))
               (not (verify-visited-file-modtime buffer)))
      (with-current-buffer buffer
        (revert-buffer t t t)))))

(defun pisces-ide--close (path)
  "Take the diff of PATH away; its text, nil if there was none."
  (let ((buffer (seq-find
                 (lambda (each)
                   (equal path (plist-get (buffer-local-value
                                           'pisces-ide--proposal each)
                                          :path)))
                 pisces-ide--diffs)))
    (when buffer
      (prog1 (pisces-ide--proposed buffer)
        (pisces-ide--take-away buffer)))))

(defun pisces-ide--killed ()
  "Whoever kills a proposal refuses it."
  (let ((buffer (current-buffer)))
    (when (memq buffer pisces-ide--diffs)
      (setq pisces-ide--diffs (delq buffer pisces-ide--diffs))
      (pisces-ide--send "reject" :path (plist-get pisces-ide--proposal :path))
      (run-at-time 0 nil #'pisces-ide--kill-left
                   (plist-get pisces-ide--proposal :left)
                   (plist-get pisces-ide--proposal :windows)))))

(defun pisces-ide--kill-left (left windows)
  "Kill LEFT and close those of WINDOWS that were made for a diff."
  (dolist (window (cdr windows))
    (when (window-live-p window)
      (ignore-errors (delete-window window))))
  (when (and (window-live-p (car windows))
             (eq (window-buffer (car windows)) left))
    (quit-restore-window (car windows)))
  (when (buffer-live-p left)
    (kill-buffer left)))

(defun pisces-ide--this-diff ()
  "The proposal that is meant: the one here, else the newest."
  (or (seq-find (lambda (each)
                  (or (eq each (current-buffer))
                      (eq (plist-get (buffer-local-value
                                      'pisces-ide--proposal each)
                                     :left)
                          (current-buffer))))
                pisces-ide--diffs)
      (car pisces-ide--diffs)
      (user-error "No agent proposes a change")))

(defun pisces-ide-accept ()
  "Take the change that an agent proposes, as it is now."
  (interactive)
  (let* ((buffer (pisces-ide--this-diff))
         (proposal (buffer-local-value 'pisces-ide--proposal buffer)))
    (pisces-ide--send "accept" :path (plist-get proposal :path)
                      :content (pisces-ide--proposed buffer))
    (pisces-ide--take-away buffer)))

(defun pisces-ide-reject ()
  "Refuse the change that an agent proposes."
  (interactive)
  (let* ((buffer (pisces-ide--this-diff))
         (proposal (buffer-local-value 'pisces-ide--proposal buffer)))
    (pisces-ide--send "reject" :path (plist-get proposal :path))
    (pisces-ide--take-away buffer)))

(defun pisces-ide-ediff ()
  "Compare the two sides of a diff with Ediff."
  (interactive)
  (let ((buffer (pisces-ide--this-diff)))
    (ediff-buffers
     (plist-get (buffer-local-value 'pisces-ide--proposal buffer) :left)
     buffer)))

;;;; Starting and stopping

(defconst pisces-ide--hooks
  '((find-file-hook . pisces-ide--opened)
    (kill-buffer-hook . pisces-ide--closed)
    (after-set-visited-file-name-hook . pisces-ide--renamed)
    (after-save-hook . pisces-ide--saved)
    (window-selection-change-functions . pisces-ide--look)
    (window-buffer-change-functions . pisces-ide--look)
    (kill-emacs-hook . pisces-ide--stop)))

(defun pisces-ide--words ()
  "The command line of the companion.
An agent looks for the process above its shell, or for the one above that."
  (let ((above (alist-get 'ppid (process-attributes (emacs-pid)))))
    (append pisces-ide-command
            '("ide" "serve" "--env" "--name" "emacs" "--display-name" "Emacs")
            (mapcan (lambda (root) (list "--workspace" root))
                    (copy-sequence pisces-ide--workspace))
            (list "--pid" (number-to-string (emacs-pid)))
            (and above (> above 1)
                 (list "--pid" (number-to-string above))))))

(defun pisces-ide--start ()
  "Start the companion."
  (unless (fboundp 'json-serialize)
    (user-error "This Emacs was built without JSON"))
  (unless (executable-find (car pisces-ide-command))
    (user-error "Cannot run `%s': install pisces, or set `pisces-ide-command'"
                (car pisces-ide-command)))
  (setq read-process-output-max         ; a diff may be large
        (max read-process-output-max (* 64 1024))
        pisces-ide--workspace
        (sort (copy-sequence (funcall pisces-ide-workspace-function))
              #'string<)
        pisces-ide--told nil
        pisces-ide--process
        (make-process :name "pisces-ide"
                      :buffer (generate-new-buffer " *pisces-ide*")
                      :command (pisces-ide--words)
                      :connection-type 'pipe
                      :coding '(utf-8-unix . binary)
                      :noquery t
                      :stderr (get-buffer-create " *pisces-ide errors*")
                      :filter #'pisces-ide--filter
                      :sentinel #'pisces-ide--ended))
  (set-process-query-on-exit-flag
   (get-buffer-process " *pisces-ide errors*") nil)
  (pcase-dolist (`(,hook . ,act) pisces-ide--hooks)
    (add-hook hook act))
  (setq pisces-ide--timer
        (run-with-idle-timer pisces-ide-idle-seconds t #'pisces-ide--look))
  (dolist (buffer (reverse (buffer-list)))
    (with-current-buffer buffer (pisces-ide--opened)))
  (pisces-ide--look))

(defun pisces-ide--stop ()
  "Stop the companion; return when its file is gone."
  (pcase-dolist (`(,hook . ,act) pisces-ide--hooks)
    (remove-hook hook act))
  (when pisces-ide--timer
    (cancel-timer pisces-ide--timer))
  (let ((process pisces-ide--process))
    (setq pisces-ide--process nil)
    (when (process-live-p process)
      (process-send-string process "{\"do\":\"stop\"}\n")
      (let ((end (+ (float-time) 2)))
        (while (and (process-live-p process) (< (float-time) end))
          (accept-process-output process 0.05)))
      (delete-process process)))
  (pisces-ide--forget))

(defun pisces-ide--forget ()
  "Leave nothing behind of a companion that is gone."
  (dolist (buffer (copy-sequence pisces-ide--diffs))
    (pisces-ide--take-away buffer))
  (pcase-dolist (`(,name . ,before) pisces-ide--variables)
    (setenv name before))
  (setq pisces-ide--variables nil pisces-ide--clients 0))

(defun pisces-ide--ended (process event)
  "PROCESS, a companion, has ended: EVENT says how."
  (unless (process-live-p process)
    (when (buffer-live-p (process-buffer process))
      (kill-buffer (process-buffer process)))
    (when (eq process pisces-ide--process)
      (setq pisces-ide--process nil)
      (pisces-ide-mode -1)
      (message "pisces: the companion ended: %s" (string-trim event)))))

;;;###autoload
(define-minor-mode pisces-ide-mode
  "Tell agents in terminals what you edit, and show their changes here."
  :global t
  :lighter (:eval (format " Pisces:%d" pisces-ide--clients))
  (pisces-ide--stop)
  (when pisces-ide-mode
    (condition-case problem
        (pisces-ide--start)
      (error
       (setq pisces-ide-mode nil)
       (message "pisces: %s" (error-message-string problem))))))

(provide 'pisces-ide)

;;; pisces-ide.el ends here
